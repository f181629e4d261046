"""Lines that make a module of torch.nn with random arguments, and call it."""

from leaves import count_of, numbers

# Of what each table makes: (constructor, [shape of each input]).


def some(chance, **choices):
    """Keyword arguments, each there half of the time."""
    kept = {key: chance.choice(values) for key, values in choices.items() if chance.random() < 0.5}
    return "".join(f", {key}={value!r}" for key, value in kept.items())


def batch(chance, *rest):
    return [*[chance.randint(1, 3) for _ in range(chance.randint(0, 2))], *rest]


def linear(chance):
    size, out = chance.randint(1, 5), chance.randint(1, 4)
    return f"Linear({size}, {out}{some(chance, bias=[True, False])})", [batch(chance, size)]


def bilinear(chance):
    lead = batch(chance)
    return f"Bilinear(2, 3, 4{some(chance, bias=[True, False])})", [[*lead, 2], [*lead, 3]]


def layer_norm(chance):
    shape = [chance.randint(1, 4) for _ in range(chance.randint(1, 2))]
    name = chance.choice(["LayerNorm", "RMSNorm"])
    options = some(chance, eps=[1e-5, 0.1], elementwise_affine=[True, False])
    return f"{name}({shape}{options})", [batch(chance, *shape)]


def group_norm(chance):
    groups = chance.randint(1, 2)
    channels = groups * chance.randint(1, 2)
    options = some(chance, eps=[1e-5, 0.1], affine=[True, False])
    return f"GroupNorm({groups}, {channels}{options})", [[2, channels, *batch(chance, 3)]]


def batch_norm(chance):
    rank = chance.randint(1, 3)
    name = chance.choice(["BatchNorm", "BatchNorm", "InstanceNorm"])
    options = some(
        chance, eps=[1e-5, 0.1], momentum=[0.1, None, 0.5], affine=[True, False],
        track_running_stats=[True, False],
    )
    spatial = [chance.randint(2, 3) for _ in range(rank)]
    return f"{name}{rank}d(3{options})", [[chance.randint(2, 3), 3, *spatial]]


def conv(chance):
    rank = chance.randint(1, 3)
    turned = chance.random() < 0.35
    groups = chance.choice([1, 1, 2])
    channels, out = groups * chance.randint(1, 2), groups * chance.randint(1, 2)
    kernel = chance.randint(1, 3)
    options = some(
        chance, stride=[1, 2], padding=[0, 1] if turned else [0, 1, 2], dilation=[1, 2],
        bias=[True, False],
    )
    if not turned:
        options += some(chance, padding_mode=["zeros", "reflect", "replicate", "circular"])
    elif "stride=2" in options:
        options += some(chance, output_padding=[0, 1])
    lead = [chance.randint(1, 2)] if chance.random() < 0.8 else []
    shape = [*lead, channels, *[chance.randint(5, 6) for _ in range(rank)]]
    name = f"Conv{'Transpose' if turned else ''}{rank}d"
    return f"{name}({channels}, {out}, {kernel}, groups={groups}{options})", [shape]


def pool(chance):
    rank = chance.randint(1, 3)
    kind = chance.choice(["Max", "Avg", "LP", "AdaptiveAvg", "AdaptiveMax"])
    shape = [2, 3, *[chance.randint(4, 6) for _ in range(rank)]]
    if kind.startswith("Adaptive"):
        options = some(chance, return_indices=[True, False]) if "Max" in kind else ""
        return f"{kind}Pool{rank}d({chance.randint(1, 3)}{options})", [shape]
    kernel = chance.randint(2, 3)
    options = some(chance, stride=[1, 2, 3], ceil_mode=[True, False])
    if kind == "LP":
        return f"LPPool{rank}d({chance.choice([1, 2, 3.0])}, {kernel}{options})", [shape]
    options += some(chance, padding=[0, 1])
    if kind == "Max":
        options += some(chance, dilation=[1, 2], return_indices=[True, False])
    else:
        options += some(chance, count_include_pad=[True, False])
        options += some(chance, divisor_override=[2, 3]) if rank > 1 else ""
    return f"{kind}Pool{rank}d({kernel}{options})", [shape]


ACTIVATIONS = {
    "ReLU": {}, "ReLU6": {}, "GELU": {"approximate": ["none", "tanh"]}, "SiLU": {}, "Mish": {},
    "ELU": {"alpha": [0.5, 2.0]}, "CELU": {"alpha": [0.5, 2.0]}, "SELU": {}, "Hardswish": {},
    "LeakyReLU": {"negative_slope": [0.1, -0.5]}, "Hardsigmoid": {}, "LogSigmoid": {},
    "Hardtanh": {"min_val": [-0.3, -2.0], "max_val": [0.7, 1]}, "Sigmoid": {}, "Tanh": {},
    "Softplus": {"beta": [1, 0.5, 3], "threshold": [20, 0.5, 0.7]}, "Softsign": {}, "Tanhshrink": {},
    "Softshrink": {"lambd": [0.0, 0.3]}, "Hardshrink": {"lambd": [0.1, 1.0]}, "GLU": {"dim": [-1]},
    "Softmax": {"dim": [-1, 0]}, "LogSoftmax": {"dim": [-1, 0]}, "Softmin": {"dim": [-1, 0]},
    "PReLU": {"init": [0.1, 0.5]}, "Dropout": {"p": [0.0, 0.3, 1.0]}, "AlphaDropout": {"p": [0.4]},
    "Dropout1d": {"p": [0.5]}, "Dropout2d": {"p": [0.5]}, "FeatureAlphaDropout": {"p": [0.5]},
    "Identity": {}, "Flatten": {"start_dim": [0, 1], "end_dim": [-1, -2]},
    "RReLU": {"lower": [0.1], "upper": [0.4]}, "Threshold": {},
}


def activation(chance):
    name, choices = chance.choice(list(ACTIVATIONS.items()))
    first = "0.1, 20" if name == "Threshold" else ""
    return f"{name}({first}{some(chance, **choices)})".replace("(, ", "("), [batch(chance, 3, 4)]


def shaped(chance):
    side = chance.randint(1, 2)
    rank = chance.randint(1, 3)
    name = chance.choice(["ReflectionPad", "ReplicationPad", "ZeroPad", "ConstantPad", "CircularPad"])
    pads = [chance.randint(0, 2) for _ in range(2 * rank)]
    value = ", 1.5" if name == "ConstantPad" else ""
    mode = chance.choice(["nearest", "bilinear", "bicubic", "nearest-exact", "area"])
    corners = some(chance, align_corners=[True, False]) if mode in ("bilinear", "bicubic") else ""
    size = chance.choice(["scale_factor=2", "scale_factor=(1.5, 0.7)", "size=(5, 3)", "size=7"])
    forms = [
        (f"{name}{rank}d({pads if chance.random() < 0.7 else side}{value})", [2, 3, *[4] * rank]),
        (f"Upsample({size}, mode='{mode}'{corners})", [2, 3, 4, 4]),
        (f"PixelShuffle({side})", [*batch(chance), 4, 3, 2]),
        (f"PixelUnshuffle({side})", [*batch(chance), 3, 4, 2]),
        (f"Unfold({side + 1}{some(chance, padding=[1], stride=[2], dilation=[2])})", [2, 3, 5, 6]),
        (f"Fold((4, 5), 2{some(chance, padding=[0])})", [2, 8, 12]),
        ("Unflatten(-1, (2, -1))", batch(chance, 3, 6)),
        ("ChannelShuffle(2)", [2, 4, 3, 3]),
    ]
    made, shape = chance.choice(forms)
    return made, [shape]


def recurrent(chance):
    kind = chance.choice(["RNN", "LSTM", "GRU"])
    size, hidden = chance.randint(1, 3), chance.randint(2, 3)
    if chance.random() < 0.25:
        return f"{kind}Cell({size}, {hidden}{some(chance, bias=[True, False])})", [batch(chance, size)[-2:]]
    options = some(
        chance, num_layers=[1, 2], bias=[True, False], batch_first=[True, False],
        bidirectional=[True, False],
    )
    if kind == "RNN":
        options += some(chance, nonlinearity=["tanh", "relu"])
    if kind == "LSTM":
        options += some(chance, proj_size=[1])
    lead = [3, 2] if chance.random() < 0.8 else [3]
    return f"{kind}({size}, {hidden}{options})", [[*lead, size]]


def attention(chance):
    heads = chance.randint(1, 2)
    size = heads * 2
    norm_first = {"norm_first": [True, False], "batch_first": [True, False], "bias": [True, False]}
    options = some(chance, activation=["relu", "gelu"], **norm_first)
    query, memory = [3, 2, size], [3, 2, size]
    if chance.random() < 0.4:
        return f"TransformerEncoderLayer({size}, {heads}, 4, dropout=0.0{options})", [query]
    if chance.random() < 0.4:
        return f"TransformerDecoderLayer({size}, {heads}, 4, dropout=0.0{options})", [query, memory]
    options = some(
        chance, bias=[True, False], add_bias_kv=[True, False], add_zero_attn=[True, False],
        batch_first=[True, False],
    )
    return f"MultiheadAttention({size}, {heads}{options})", [query, memory, memory]


def embedding(chance):
    options = some(chance, padding_idx=[0, 2, -1])
    if chance.random() < 0.3:
        options += some(chance, mode=["sum", "mean", "max"])
        return f"EmbeddingBag(5, 3{options})", [("int64", [2, 3], 5)]
    return f"Embedding(5, 3{options})", [("int64", batch(chance, 3), 5)]


def loss(chance):
    reduction = some(chance, reduction=["mean", "sum", "none"])
    same = [3, 4]
    forms = [
        (f"MSELoss({reduction})", [same, same]),
        (f"L1Loss({reduction})", [same, same]),
        (f"SmoothL1Loss({reduction}{some(chance, beta=[0.0, 0.5, 0.3])})", [same, same]),
        (f"HuberLoss({reduction}{some(chance, delta=[0.5, 0.7])})", [same, same]),
        (f"KLDivLoss({reduction}{some(chance, log_target=[True])})", [same, same]),
        (f"PoissonNLLLoss({reduction}{some(chance, log_input=[False], full=[True])})", [same, same]),
        (f"GaussianNLLLoss({reduction}{some(chance, full=[True])})", [same, same, ("positive", same)]),
        (f"SoftMarginLoss({reduction})", [same, same]),
        (f"BCEWithLogitsLoss({reduction})", [same, ("positive", same)]),
        (f"MarginRankingLoss({reduction}{some(chance, margin=[0.5, 0.3])})", [same, same, same]),
        (f"HingeEmbeddingLoss({reduction})", [same, same]),
        (f"CosineEmbeddingLoss({reduction}{some(chance, margin=[0.5, 0.3])})", [same, same, ("sign", [3])]),
        (f"TripletMarginLoss({reduction}{some(chance, p=[1], swap=[True])})", [same, same, same]),
        (
            f"CrossEntropyLoss({reduction}{some(chance, label_smoothing=[0.1], ignore_index=[1])})",
            [same, ("int64", [3], 4)],
        ),
        (f"CrossEntropyLoss({reduction})", [[2, 3, 4], ("int64", [2, 4], 3)]),
        (f"NLLLoss({reduction}{some(chance, ignore_index=[1])})", [same, ("int64", [3], 4)]),
        (f"MultiMarginLoss({reduction}{some(chance, p=[2], margin=[0.5, 0.3])})", [same, ("int64", [3], 4)]),
        (f"CosineSimilarity({some(chance, dim=[0, -1], eps=[1e-3])})", [same, same]),
        (f"PairwiseDistance({some(chance, p=[1.0, 3.0], keepdim=[True])})", [same, same]),
    ]
    made, shapes = chance.choice(forms)
    return made.replace("(, ", "("), shapes


TYPES = ["float32"] * 7 + ["float64", "bfloat16", "float16"]
MAKERS = [linear, bilinear, layer_norm, group_norm, batch_norm, conv, conv, pool, pool, activation]
MAKERS += [activation, shaped, recurrent, attention, embedding, loss, loss]


def add_module(program):
    """A module, its call, and now and then another type, another mode or a context."""
    chance = program.chance
    made, shapes = chance.choice(MAKERS)(chance)
    is_real = program.dtype is not None and not program.dtype.startswith("complex")
    dtype = program.dtype if is_real else chance.choice(TYPES)
    name = f"m{program.modules}"
    program.modules += 1
    tail = "" if dtype == "float32" else f".to(torch.{dtype})"
    mode = chance.choice(["", "", ".eval()"])
    if not program.run(f"{name} = torch.nn.{made}{tail}{mode}", 0.3):
        return
    args = ", ".join(argument(program, given, dtype) for given in shapes)
    call = f"{name}({args})"
    context = chance.choice([""] * 8 + CONTEXTS)
    if not context:
        program.add(call)
        return
    program.run(f"{context}: r{program.made} = {call}", 0.4)
    program.made += 1


CONTEXTS = [
    "with torch.no_grad()",
    "with torch.autocast('cpu', dtype=torch.bfloat16)",
    "with torch.autocast('cpu', dtype=torch.bfloat16)",
]


def argument(program, given, dtype):
    chance = program.chance
    if isinstance(given, list):
        shape = given
        data = numbers(chance, dtype, count_of(shape), program.special)
    else:
        kind, shape, *high = given
        if kind == "int64":
            data = [chance.randrange(high[0]) for _ in range(count_of(shape))]
            return program.add_leaf(leaf(kind, shape, data, False))
        if kind == "sign":
            data = [chance.choice([-1.0, 1.0]) for _ in range(count_of(shape))]
            return program.add_leaf(leaf(dtype, shape, data, False))
        data = [round(chance.uniform(0.05, 0.95), 3) for _ in range(count_of(shape))]
    return program.add_leaf(leaf(dtype, shape, data, chance.random() < 0.7))


def leaf(dtype, shape, data, grad):
    return {"dtype": dtype, "shape": list(shape), "data": data, "grad": grad}
