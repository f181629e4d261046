"""What transformers are made of: attention, masks, embeddings, losses, recurrent layers, einsum."""

from leaves import count_of

TYPES = ["float32"] * 7 + ["float64", "bfloat16"]


def real(program, shape, dtype="float32", grad=None):
    chance = program.chance
    data = [round(chance.gauss(0, 1), 3) for _ in range(count_of(shape))]
    wants = chance.random() < 0.7 if grad is None else grad
    return program.add_leaf({"dtype": dtype, "shape": list(shape), "data": data, "grad": wants})


def whole(program, shape, high, low=0):
    data = [program.chance.randrange(low, high) for _ in range(count_of(shape))]
    return program.add_leaf({"dtype": "int64", "shape": list(shape), "data": data, "grad": False})


def truth(program, shape, share=0.6, keeps_one=True):
    """With one in every row, unless a row of none is wanted."""
    chance = program.chance
    data = [chance.random() < share for _ in range(count_of(shape))]
    width = shape[-1]
    for row in range(0, len(data), width):
        if keeps_one and not any(data[row : row + width]):
            data[row] = True
    return program.add_leaf({"dtype": "bool", "shape": list(shape), "data": data, "grad": False})


def options(chance, share=0.5, **choices):
    kept = {key: chance.choice(values) for key, values in choices.items() if chance.random() < share}
    return "".join(f", {key}={value}" for key, value in kept.items())


def dot_product(program):
    chance = program.chance
    dtype = chance.choice(TYPES)
    lead = chance.choice([[], [2], [1, 2], [2, 2]])
    queries, keys, size = chance.randint(1, 4), chance.randint(1, 5), chance.choice([2, 4])
    q = real(program, [*lead, queries, size], dtype)
    k, v = real(program, [*lead, keys, size], dtype), real(program, [*lead, keys, chance.choice([size, 3])], dtype)
    form = chance.choice(["none", "none", "bool", "bool", "float", "causal", "both", "gqa"])
    given = ""
    if form == "bool":
        given = f", attn_mask={truth(program, chance.choice([[queries, keys], [1, keys], [*lead, queries, keys]]), keeps_one=chance.random() < 0.8)}"
    if form == "float":
        given = f", {real(program, chance.choice([[queries, keys], [*lead, queries, keys]]), dtype)}"
    if form == "causal":
        given = ", is_causal=True"
    if form == "both":
        given = f", attn_mask={truth(program, [queries, keys])}, is_causal=True"
    if form == "gqa" and len(lead) == 2:
        k, v = real(program, [lead[0], 1, keys, size], dtype), real(program, [lead[0], 1, keys, size], dtype)
        given = ", enable_gqa=True"
    given += options(chance, 0.3, scale=["0.5", "None", "1.0"], dropout_p=["0.0"])
    program.add(f"F.scaled_dot_product_attention({q}, {k}, {v}{given})")


def by_hand(program):
    """Attention in its steps, as models write it."""
    chance = program.chance
    batch, time, heads, size = chance.randint(1, 2), chance.randint(1, 4), chance.choice([1, 2]), 2
    x = real(program, [batch, time, heads * size])
    w = real(program, [3 * heads * size, heads * size])
    name = f"a{program.made}"
    split = chance.choice([
        f"q, k, v = F.linear({x}, {w}).split({heads * size}, dim=2)",
        f"q, k, v = F.linear({x}, {w}).chunk(3, dim=-1)",
        f"q, k, v = ({x} @ {w}.t()).reshape({batch}, {time}, 3, {heads * size}).unbind(2)",
        f"q, k, v = ({x} @ {w}.T).view({batch}, {time}, 3, {heads * size}).permute(2, 0, 1, 3)",
    ])
    program.run(split, 0)
    program.run(f"q, k, v = (t.view({batch}, {time}, {heads}, {size}).transpose(1, 2) for t in (q, k, v))", 0)
    program.run(chance.choice([
        f"{name} = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))",
        f"{name} = torch.einsum('bhqd,bhkd->bhqk', q, k) / {size} ** 0.5",
        f"{name} = torch.matmul(q, k.mT) * {size} ** -0.5",
        f"{name} = torch.baddbmm(torch.zeros({batch * heads}, {time}, {time}), q.reshape(-1, {time}, {size}), k.reshape(-1, {time}, {size}).mT, beta=0, alpha=0.7).view({batch}, {heads}, {time}, {time})",
    ]), 0)
    program.run(chance.choice([
        f"{name} = {name}.masked_fill(torch.tril(torch.ones({time}, {time})).view(1, 1, {time}, {time}) == 0, float('-inf'))",
        f"{name} = {name} + torch.full(({time}, {time}), float('-inf')).triu(1)",
        f"{name} = {name} + torch.triu(torch.ones({time}, {time}) * float('-inf'), diagonal=1)",
        f"{name} = torch.where(torch.ones({time}, {time}, dtype=torch.bool).tril(), {name}, torch.finfo({name}.dtype).min)",
        f"{name} = {name}.masked_fill(~torch.ones({time}, {time}).tril().bool(), torch.finfo(torch.float32).min)",
        f"{name} = {name} - torch.arange({time}).view(1, -1).sub(torch.arange({time}).view(-1, 1)).abs() * 0.5",
    ]), 0)
    program.run(f"{name} = F.softmax({name}, dim=-1{options(chance, 0.3, dtype=['torch.float32', 'torch.float64'])}).type_as(q)", 0)
    program.add(f"({name} @ v).transpose(1, 2).{chance.choice(['contiguous().view', 'reshape'])}({batch}, {time}, {heads * size})")
    program.add(f"{name}.sum(-1)")


def rotary(program):
    chance = program.chance
    time, size = chance.randint(1, 4), chance.choice([2, 4])
    x = real(program, [1, time, 2, size])
    program.run(f"inv = 1.0 / (10000 ** (torch.arange(0, {size}, 2).float() / {size}))", 0)
    program.run(f"angles = torch.outer(torch.arange({time}, dtype=torch.float32), inv)", 0)
    program.add(chance.choice([
        f"torch.view_as_real(torch.view_as_complex({x}.float().reshape(1, {time}, 2, -1, 2)) * torch.polar(torch.ones_like(angles), angles).view(1, {time}, 1, -1)).flatten(3)",
        f"{x} * torch.cat((angles, angles), -1).cos()[None, :, None] + torch.cat((-{x}[..., {size // 2}:], {x}[..., :{size // 2}]), -1) * torch.cat((angles, angles), -1).sin()[None, :, None]",
        f"torch.stack(({x}[..., 0::2] * angles.cos()[:, None] - {x}[..., 1::2] * angles.sin()[:, None], {x}[..., 1::2] * angles.cos()[:, None] + {x}[..., 0::2] * angles.sin()[:, None]), -1).flatten(-2)",
    ]))


def layers(program):
    """Modules with masks."""
    chance = program.chance
    heads, size, time = chance.choice([1, 2]), 4, chance.randint(2, 4)
    first = chance.random() < 0.5
    shape = [2, time, size] if first else [time, 2, size]
    x, y = real(program, shape), real(program, shape)
    name = f"m{program.modules}"
    program.modules += 1
    mask = chance.choice([
        f"torch.nn.Transformer.generate_square_subsequent_mask({time})",
        f"torch.triu(torch.ones({time}, {time}, dtype=torch.bool), 1)",
        "None",
    ])
    blank = chance.choice(["None", truth(program, [2, time], 0.3, False), "None"])
    if blank != "None":
        blank = f"{blank} & (torch.arange({time}) > 0)"
    mode = chance.choice(["", ".eval()"])
    form = chance.choice(["attention", "attention", "encoder", "decoder", "encoders", "whole"])
    base = f"{size}, {heads}"
    common = f", dropout=0.0, batch_first={first}"
    if form == "attention":
        more = options(chance, 0.3, kdim=[str(size)], add_bias_kv=["True"], bias=["False"], add_zero_attn=["True"])
        program.run(f"{name} = nn.MultiheadAttention({base}, batch_first={first}{more}){mode}", 0)
        asked = options(chance, 0.4, need_weights=["False", "True"], average_attn_weights=["False"])
        program.add(f"{name}({x}, {y}, {y}, attn_mask={mask}, key_padding_mask={blank}{asked})")
    elif form == "encoder":
        program.run(f"{name} = nn.TransformerEncoderLayer({base}, 6{common}{options(chance, 0.4, norm_first=['True'], activation=[repr('gelu'), 'F.silu'], layer_norm_eps=['1e-3'])}){mode}", 0)
        program.add(f"{name}({x}, src_mask={mask}, src_key_padding_mask={blank})")
    elif form == "decoder":
        program.run(f"{name} = nn.TransformerDecoderLayer({base}, 6{common}{options(chance, 0.4, norm_first=['True'], bias=['False'])}){mode}", 0)
        program.add(f"{name}({x}, {y}, tgt_mask={mask}, memory_key_padding_mask={blank})")
    elif form == "encoders":
        program.run(f"{name} = nn.TransformerEncoder(nn.TransformerEncoderLayer({base}, 6{common}), 2{options(chance, 0.4, norm=[f'nn.LayerNorm({size})'])}){mode}", 0)
        program.add(f"{name}({x}, mask={mask}, src_key_padding_mask={blank})")
    else:
        program.run(f"{name} = nn.Transformer({base}, 1, 1, 6{common}){mode}", 0)
        program.add(f"{name}({x}, {y}, tgt_mask={mask}, src_key_padding_mask={blank})")


def embedded(program):
    chance = program.chance
    rows = real(program, [5, 3])
    at = whole(program, chance.choice([[3], [2, 2], []]), 5)
    name = f"m{program.modules}"
    program.modules += 1
    given = options(chance, 0.4, padding_idx=["0", "-1"], max_norm=["1.0"], norm_type=["1.0"], scale_grad_by_freq=["True"])
    form = chance.choice(["function", "module", "bag", "tied", "one_hot"])
    if form == "function":
        program.add(f"F.embedding({at}, {rows}{given.replace(', max_norm=1.0', '')})")
    elif form == "module":
        program.run(f"{name} = nn.Embedding(5, 3{given})", 0)
        program.add(f"{name}({at})")
        program.add(f"{name}.weight.detach().clone()")
    elif form == "bag":
        flat = whole(program, [5], 5)
        more = options(chance, 0.5, mode=["'sum'", "'mean'", "'max'"], include_last_offset=["False"], padding_idx=["1"])
        program.add(f"F.embedding_bag({flat}, {rows}, torch.tensor([0, 2, 2]){more})")
    elif form == "tied":
        program.add(f"F.linear(F.embedding({at}, {rows}) * 3 ** 0.5, {rows})")
    else:
        program.add(f"F.one_hot({at}, 5).float() @ {rows}")


def lost(program):
    chance = program.chance
    dtype = chance.choice(TYPES)
    classes = chance.randint(2, 4)
    shape = chance.choice([[3, classes], [2, classes, 2], [classes]])
    x = real(program, shape, dtype)
    target_shape = [n for at, n in enumerate(shape) if at != (1 if len(shape) > 1 else 0)]
    target = whole(program, target_shape, classes)
    same = real(program, shape, dtype)
    share = program.add_leaf({"dtype": dtype, "shape": list(shape), "data": [round(chance.uniform(0.05, 0.95), 3) for _ in range(count_of(shape))], "grad": chance.random() < 0.3})
    reduction = options(chance, 0.6, reduction=["'mean'", "'sum'", "'none'"])
    weight = f", weight=torch.tensor({[0.5, 1.0, 2.0, 0.0][:classes]}, dtype=torch.{dtype})" if chance.random() < 0.4 else ""
    ignored = options(chance, 0.3, ignore_index=["0", "-100"])
    smooth = options(chance, 0.3, label_smoothing=["0.1", "0.0"])
    program.add(chance.choice([
        f"F.cross_entropy({x}, {target}{weight}{ignored}{smooth}{reduction})",
        f"F.cross_entropy({x}, {target}{ignored}{reduction})",
        f"F.cross_entropy({x}, {share}{weight}{smooth}{reduction})",
        f"F.nll_loss(F.log_softmax({x}, {1 if len(shape) > 1 else 0}), {target}{weight}{ignored}{reduction})",
        f"F.binary_cross_entropy_with_logits({x}, {share}{options(chance, 0.4, pos_weight=['torch.tensor(2.0)'])}{reduction})",
        f"F.binary_cross_entropy({share}, {share}.detach(){reduction})",
        f"F.mse_loss({x}, {same}{reduction})",
        f"F.l1_loss({x}, {same}{reduction})",
        f"F.smooth_l1_loss({x}, {same}{options(chance, 0.5, beta=['0.5', '2.0'])}{reduction})",
        f"F.huber_loss({x}, {same}{options(chance, 0.5, delta=['0.5'])}{reduction})",
        f"F.kl_div(F.log_softmax({x}, -1), {share}{options(chance, 0.3, log_target=['True'])}{reduction.replace(repr('mean'), repr('batchmean'))})",
        f"F.poisson_nll_loss({x}, {share}{options(chance, 0.4, full=['True'])}{reduction})",
        f"F.gaussian_nll_loss({x}, {same}, {share}{reduction})",
        f"F.cosine_similarity({x}, {same}, dim=-1)",
        f"F.cosine_embedding_loss({x}.reshape(-1, {classes}), {same}.reshape(-1, {classes}), torch.ones({count_of(shape) // classes}){options(chance, 0.4, margin=['0.2'])}{reduction})",
        f"F.margin_ranking_loss({x}, {same}, torch.ones_like({x}){reduction})",
        f"F.hinge_embedding_loss({x}, torch.ones_like({x}){reduction})",
        f"F.soft_margin_loss({x}, torch.ones_like({x}){reduction})",
        f"F.triplet_margin_loss({x}, {same}, {share}{options(chance, 0.4, p=['1'], swap=['True'])}{reduction})",
        f"F.multilabel_soft_margin_loss({x}.reshape(-1, {classes}), ({share} > 0.5).reshape(-1, {classes}).to({x}.dtype){reduction})",
        f"F.multi_margin_loss({x}.reshape(-1, {classes}), torch.zeros({count_of(shape) // classes}, dtype=torch.int64){reduction})",
        f"F.pairwise_distance({x}, {same}{options(chance, 0.4, p=['1.0'], keepdim=['True'])})",
        f"F.cross_entropy({x}.reshape(-1, {classes}), torch.full(({count_of(shape) // classes},), -100))",
    ]))


def recurrent(program):
    """Layers over packed sequences."""
    chance = program.chance
    kind = chance.choice(["LSTM", "GRU", "RNN"])
    first = chance.random() < 0.5
    time = chance.randint(2, 4)
    x = real(program, [2, time, 3] if first else [time, 2, 3])
    name = f"m{program.modules}"
    program.modules += 1
    given = options(chance, 0.4, num_layers=["2"], bidirectional=["True"], bias=["False"])
    program.run(f"{name} = nn.{kind}(3, 2, batch_first={first}{given})", 0)
    lengths = sorted([chance.randint(1, time) for _ in range(2)], reverse=chance.random() < 0.7)
    sorted_ = lengths == sorted(lengths, reverse=True)
    packed = f"nn.utils.rnn.pack_padded_sequence({x}, {chance.choice([str(lengths), f'torch.tensor({lengths})'])}, batch_first={first}{'' if sorted_ and chance.random() < 0.5 else ', enforce_sorted=False'})"
    form = chance.choice(["packed", "packed", "plain", "state", "pad"])
    if form == "packed":
        program.run(f"out, state = {name}({packed})", 0.3)
        program.add(f"nn.utils.rnn.pad_packed_sequence(out, batch_first={first}{options(chance, 0.3, padding_value=['-1.0'], total_length=[str(time)])})")
        program.add("state")
    elif form == "plain":
        program.add(f"{name}({x})")
    elif form == "state":
        program.run(f"out, state = {name}({x})", 0.3)
        program.add(f"{name}({x}, state)")
    else:
        program.add(f"nn.utils.rnn.pad_sequence([torch.ones(a) for a in {lengths}]{options(chance, 0.5, batch_first=['True'], padding_value=['-1.0'])})")


def summed(program):
    """Random equations of einsum."""
    chance = program.chance
    sizes = dict(zip("abcde", [1, 2, 3, 2, 4]))
    terms = ["".join(chance.sample("abcde", chance.randint(1, 3))) for _ in range(chance.choice([1, 2, 2, 2, 3]))]
    if chance.random() < 0.1:
        terms[0] += terms[0][0]
    letters = sorted(set("".join(terms)))
    out = "".join(chance.sample(letters, chance.randint(0, len(letters))))
    dots = chance.random() < 0.2
    given = ", ".join(real(program, [*([2] if dots else []), *(sizes[c] for c in term)]) for term in terms)
    arrow = f"->{'...' if dots else ''}{out}" if chance.random() < 0.85 else ""
    equation = ("," + chance.choice(["", " "])).join(("..." if dots else "") + term for term in terms) + arrow
    program.add(f"torch.einsum('{equation}', {given})")


def normed(program):
    chance = program.chance
    dtype = chance.choice(TYPES)
    size = chance.choice([2, 3, 4])
    lead = chance.choice([[2], [1, 3], [2, 2]])
    x = real(program, [*lead, size], dtype)
    w, b = real(program, [size], dtype), real(program, [size], dtype)
    four = real(program, [2, 4, 3], dtype)
    wide = real(program, [4], dtype)
    program.add(chance.choice([
        f"F.layer_norm({x}, ({size},){chance.choice(['', f', {w}', f', {w}, {b}', f', weight={w}, bias={b}, eps=1e-3', f', None, {b}'])})",
        f"F.rms_norm({x}, [{size}]{chance.choice(['', f', {w}', f', weight={w}, eps=1e-3'])})",
        f"F.group_norm({four}, {chance.choice([1, 2, 4])}{chance.choice(['', f', {wide}', f', weight={wide}, bias={wide}, eps=0.1'])})",
        f"F.instance_norm({four}{chance.choice(['', f', weight={wide}', ', eps=0.1'])})",
        f"F.batch_norm({four}, None, None{chance.choice([f', {wide}', ''])}, training=True)",
        f"F.batch_norm({four}, torch.zeros(4, dtype=torch.{dtype}), torch.ones(4, dtype=torch.{dtype}), training=False, eps=0.1)",
        f"F.normalize({x}{options(chance, 0.5, p=['1', '2.0', '3'], dim=['0', '-1'], eps=['0.1'])})",
        f"{x} * torch.rsqrt({x}.pow(2).mean(-1, keepdim=True) + 1e-6) * {w}",
        f"({x} - {x}.mean(-1, keepdim=True)) / ({x}.std(-1, keepdim=True) + 1e-6) * {w} + {b}",
        f"({x} - {x}.mean(-1, keepdim=True)) / torch.sqrt({x}.var(-1, keepdim=True, unbiased=False) + 1e-5)",
        f"{x}.norm({chance.choice(['', 'dim=-1', '2, -1, True', 'p=1', 'dim=-1, keepdim=True'])})",
        f"torch.linalg.vector_norm({x}, {chance.choice(['2', '1', 'inf', '0.5'])}, dim=-1)",
        f"torch.var_mean({x}, dim=-1{options(chance, 0.5, keepdim=['True'], correction=['0', '2'])})",
        f"F.local_response_norm({four}, 2)",
    ]))


FAMILY = [dot_product, dot_product, by_hand, rotary, layers, layers, embedded, lost, lost, recurrent, summed, summed, normed]


def add_attention(program):
    program.chance.choice(FAMILY)(program)
