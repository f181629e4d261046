"""Layers as functions, by keyword and with every option: windows, pads, sizes, norms, losses, products."""

from leaves import make_leaf

KINDS = ["float32"] * 8 + ["float64", "float64", "float16", "bfloat16", "int64", "bool"]


def leaf(program, shape, kind=None):
    kind = kind or program.chance.choice(KINDS)
    return program.add_leaf(make_leaf(program.chance, kind, shape, program.special))


def options(chance, **given):
    """Some of the keywords, each with one of its values."""
    kept = [f"{key}={chance.choice(values)}" for key, values in given.items() if chance.random() < 0.45]
    chance.shuffle(kept)
    return "".join(f", {text}" for text in kept)


def per_axis(chance, axes, low, high):
    one = chance.randint(low, high)
    return chance.choice([one, one, tuple(chance.randint(low, high) for _ in range(axes))])


def convolved(program):
    chance = program.chance
    axes, groups = chance.randint(1, 3), chance.choice([1, 1, 2, 3])
    into, out = groups * chance.randint(1, 2), groups * chance.randint(1, 2)
    turned = chance.random() < 0.4
    kernel = [chance.randint(1, 3) for _ in range(axes)]
    lead = [] if chance.random() < 0.2 else [chance.randint(1, 2)]
    kind = chance.choice(KINDS[:12])
    x = leaf(program, [*lead, into, *[chance.randint(3, 5) for _ in range(axes)]], kind)
    w = leaf(program, ([into, out // groups] if turned else [out, into // groups]) + kernel, kind)
    text = f"groups={groups}" + options(
        chance, stride=[per_axis(chance, axes, 1, 2)], dilation=[per_axis(chance, axes, 1, 2)],
        padding=[per_axis(chance, axes, 0, 2)] + ([] if turned else ["'same'", "'valid'"]),
        **({"output_padding": [per_axis(chance, axes, 0, 1)]} if turned else {}),
    )
    bias = f", bias={leaf(program, [out], kind)}" if chance.random() < 0.4 else ""
    name = f"F.conv_transpose{axes}d" if turned else f"F.conv{axes}d"
    return f"{name}({x}, {chance.choice(['', 'weight='])}{w}{bias}, {text})"


def pooled(program):
    chance = program.chance
    axes = chance.randint(1, 3)
    lead = [2] if chance.random() < 0.2 else [chance.randint(1, 2), 2]
    x = leaf(program, [*lead, *[chance.randint(3, 6) for _ in range(axes)]], chance.choice(KINDS))
    kernel = per_axis(chance, axes, 1, 3)
    more = options(chance, stride=[per_axis(chance, axes, 1, 3)], ceil_mode=[True, False], padding=[0, 1])
    return chance.choice([
        f"F.avg_pool{axes}d({x}, {kernel}{more}{options(chance, count_include_pad=[True, False])})",
        f"F.max_pool{axes}d({x}, kernel_size={kernel}{more}{options(chance, dilation=[1, 2], return_indices=[True, False])})",
        f"F.lp_pool{axes}d({x}, {chance.choice([1, 2, 3.0])}, {kernel}{options(chance, stride=[1, 2], ceil_mode=[True])})",
        f"F.adaptive_avg_pool{axes}d({x}, {per_axis(chance, axes, 1, 4)})",
        f"F.adaptive_max_pool{axes}d({x}, output_size={per_axis(chance, axes, 1, 3)}{options(chance, return_indices=[True])})",
        f"F.max_unpool{axes}d(*F.max_pool{axes}d({x}, 2, return_indices=True), 2)",
        f"F.avg_pool{max(axes, 2)}d({x}, 2, divisor_override={chance.choice([1, 3])})",
    ])


def resized(program):
    chance = program.chance
    axes = chance.randint(1, 3)
    x = leaf(program, [1, 2, *[chance.randint(2, 4) for _ in range(axes)]], chance.choice(KINDS[:12]))
    mode = chance.choice(["nearest", "nearest-exact", "area", ["linear", "bilinear", "trilinear"][axes - 1], "bicubic", "bilinear"])
    size = chance.choice([f"size={per_axis(chance, axes, 1, 6)}", f"scale_factor={chance.choice([2, 1.5, 0.5, 0.7, 3.0])}"])
    lead = chance.choice(["(1, 1)", "(0, 1)", "[2, 0]", "(-1, 1)", "(1, 2, 1, 0)", "(1, 1, 1, 1)", "(1, 0, 0, 1, 1, 1)"])
    kernel = chance.choice([1, 2, (2, 1), 3])
    more = options(chance, padding=[0, 1], stride=[1, 2], dilation=[1, 2])
    return chance.choice([
        f"F.interpolate({x}, {size}, mode='{mode}'{options(chance, align_corners=[True, False], antialias=[True, False], recompute_scale_factor=[True, False])})",
        f"F.interpolate({x}, {size}, mode='{mode}')",
        f"F.pad({x}, {lead}{options(chance, value=[0.5, -1, 0])})",
        f"F.pad({x}, {lead}, mode='{chance.choice(['reflect', 'replicate', 'circular'])}')",
        f"F.unfold({x}, {kernel}{more})",
        f"F.fold(F.unfold({x}, {kernel}{more}), {x}.shape[-2:], {kernel}{more})",
        f"F.pixel_shuffle(torch.cat([{x}] * 2, 1), 2)",
        f"F.pixel_unshuffle({x}, {chance.choice([1, 2])})",
        f"F.channel_shuffle({x}, 2)",
        f"F.grid_sample({x}, F.affine_grid(torch.tensor([[[0.8, 0.1, 0.0], [-0.2, 1.1, 0.1]]]), (1, 2, 3, 3), align_corners={chance.choice([True, False])}).to({x}.dtype){options(chance, mode=[repr('nearest'), repr('bilinear'), repr('bicubic')], padding_mode=[repr('border'), repr('reflection'), repr('zeros')])}, align_corners={chance.choice([True, False])})",
    ])


def normalized(program):
    chance = program.chance
    shape = [chance.randint(1, 3), 4, *[chance.randint(1, 3) for _ in range(chance.randint(0, 2))]]
    kind = chance.choice(KINDS[:12])
    x = leaf(program, shape, kind)
    last = chance.randint(1, len(shape))
    w, b = (leaf(program, shape[-last:], kind) for _ in range(2))
    c, d = (leaf(program, [4], kind) for _ in range(2))
    eps = options(chance, eps=[1e-5, 1e-3, 0.1])
    stats = f"torch.zeros(4, dtype={x}.dtype), torch.ones(4, dtype={x}.dtype)"
    return chance.choice([
        f"F.layer_norm({x}, {shape[-last:]}{chance.choice(['', f', weight={w}', f', {w}, {b}', f', bias={b}'])}{eps})",
        f"F.rms_norm({x}, {tuple(shape[-last:])}{chance.choice(['', f', weight={w}'])}{eps})",
        f"F.group_norm({x}, {chance.choice([1, 2, 4])}{chance.choice(['', f', {c}, {d}', f', weight={c}'])}{eps})",
        f"F.batch_norm({x}, {chance.choice([stats, 'None, None'])}{chance.choice(['', f', {c}, {d}', f', weight={c}'])}, training={chance.choice([True, False])}{eps}{options(chance, momentum=[0.1, 0.9])})",
        f"F.instance_norm({x}{options(chance, weight=[c], bias=[d])}{eps})",
        f"F.local_response_norm({x}, {chance.choice([1, 2, 3])}{options(chance, alpha=[0.1, 1], beta=[0.75, 0.5], k=[1.0, 2])})",
        f"F.normalize({x}{options(chance, p=[1, 2, 3, float('inf')] if False else [1, 2, 3], dim=[0, 1, -1], eps=[1e-12, 0.1])})",
        f"F.softmax({x}, dim={chance.randint(-len(shape), len(shape) - 1)}{options(chance, dtype=['torch.float64', 'torch.float32'])})",
        f"F.{chance.choice(['log_softmax', 'softmin'])}({x}, dim={chance.randint(-len(shape), len(shape) - 1)})",
        f"F.glu({x}, dim=1)",
        f"F.prelu({x}, {c})",
        activation(chance, x),
        activation(chance, x),
    ])


def activation(chance, x):
    call = chance.choice([
        f"F.leaky_relu({x}{options(chance, negative_slope=[0.2, 0.0, -0.5], inplace=[False])})", f"F.elu({x}{options(chance, alpha=[0.5, 2.0])})",
        f"F.celu({x}{options(chance, alpha=[0.5, 2.0])})", f"F.hardtanh({x}{options(chance, min_val=[-0.5, -2], max_val=[0.5, 3])})",
        f"F.softplus({x}{options(chance, beta=[2, 0.5], threshold=[1, 20])})", f"F.threshold({x}, threshold=0.1, value={chance.choice([0, 20, -1.5])})",
        f"F.hardshrink({x}{options(chance, lambd=[0.1, 1.0])})", f"F.softshrink({x}{options(chance, lambd=[0.1, 1.0])})", f"F.gelu({x}{options(chance, approximate=[repr('tanh'), repr('none')])})",
        f"F.logsigmoid({x})", f"F.hardswish({x})", f"F.relu6({x})", f"F.selu({x})", f"F.mish({x})", f"F.rrelu({x}, 0.1, 0.3)", f"F.hardsigmoid({x})", f"F.tanhshrink({x})",
        f"F.silu({x}.clone(), inplace=True)", f"F.elu({x}.clone(), inplace=True)", f"F.relu({x} * 1, inplace=True)", f"F.dropout({x}, p={chance.choice([0.0, 0.3, 1.0])}, training={chance.choice([True, False])})",
    ])
    return call


def lost(program):
    chance = program.chance
    rows, classes = chance.randint(1, 4), chance.randint(2, 4)
    kind = chance.choice(KINDS[:12])
    x, y = leaf(program, [rows, classes], kind), leaf(program, [rows, classes], kind)
    z = leaf(program, [rows, classes], kind)
    labels = [chance.choice([*range(classes), *range(classes), -100]) for _ in range(rows)]
    t = f"torch.tensor({labels})"
    w = f"torch.tensor({[round(chance.uniform(0.2, 2), 2) for _ in range(classes)]}, dtype={x}.dtype)"
    signs = f"torch.tensor({[chance.choice([1, -1]) for _ in range(rows)]})"
    kept = options(chance, reduction=["'none'", "'sum'", "'mean'"])
    share = f"torch.sigmoid({y}.detach())"
    return chance.choice([
        f"F.cross_entropy({x}, {t}{options(chance, weight=[w], ignore_index=[-100, 0, 1], label_smoothing=[0.1, 0.5])}{kept})",
        f"F.cross_entropy(input={x}, target={y}.softmax(-1).detach(){options(chance, weight=[w], label_smoothing=[0.2])}{kept})",
        f"F.nll_loss(F.log_softmax({x}, -1), {t}{options(chance, weight=[w], ignore_index=[-100, 1])}{kept})",
        f"F.binary_cross_entropy(torch.sigmoid({x}), {share}{options(chance, weight=[w])}{kept})",
        f"F.binary_cross_entropy_with_logits({x}, {share}{options(chance, weight=[w], pos_weight=[w])}{kept})",
        f"F.mse_loss({x}, {y}{kept}{options(chance, weight=[f'torch.ones_like({x})'])})",
        f"F.l1_loss({x}, target={y}{kept})",
        f"F.smooth_l1_loss({x}, {y}{kept}{options(chance, beta=[0.5, 1.0, 2])})",
        f"F.huber_loss({x}, {y}{kept}{options(chance, delta=[0.5, 2.0])})",
        f"F.kl_div(F.log_softmax({x}, -1), F.{chance.choice(['softmax', 'log_softmax'])}({y}, -1){options(chance, reduction=[repr('batchmean'), repr('sum'), repr('none')], log_target=[True, False])})",
        f"F.hinge_embedding_loss({x}, torch.sign({y}.detach()){kept}{options(chance, margin=[0.5, 2])})",
        f"F.margin_ranking_loss({x}[:, 0], {y}[:, 0], {signs}{kept}{options(chance, margin=[0.5, 1])})",
        f"F.cosine_embedding_loss({x}, {y}, {signs}{kept}{options(chance, margin=[0.3, -0.2])})",
        f"F.triplet_margin_loss({x}, {y}, {z}{kept}{options(chance, margin=[0.5, 2.0], p=[1, 2, 3], swap=[True])})",
        f"F.multi_margin_loss({x}, {t}.clamp(min=0){kept}{options(chance, p=[1, 2], margin=[0.5, 1.0], weight=[w])})",
        f"F.multilabel_soft_margin_loss({x}, {share}{kept}{options(chance, weight=[w])})",
        f"F.multilabel_margin_loss({x}, {t}.clamp(min=0)[:, None].expand(-1, {classes}){kept})",
        f"F.soft_margin_loss({x}, torch.sign({y}.detach()){kept})",
        f"F.poisson_nll_loss({x}, {y}.detach().abs(){kept}{options(chance, log_input=[True, False], full=[True, False], eps=[1e-8, 0.1])})",
        f"F.gaussian_nll_loss({x}, {y}, {z}.detach().abs() + 0.1{kept}{options(chance, full=[True, False])})",
        f"F.cosine_similarity({x}, {y}{options(chance, dim=[0, 1, -1], eps=[1e-8, 0.1])})",
        f"F.pairwise_distance({x}, {y}{options(chance, p=[1, 2, 3], keepdim=[True], eps=[1e-6, 0.1])})",
        f"torch.cdist({x}, {y}{options(chance, p=[1.0, 2.0, 3.0, 0.5])})",
        f"F.ctc_loss(F.log_softmax({x}, -1)[:, None], torch.tensor([[1]]), ({rows},), (1,))",
    ])


def multiplied(program):
    chance = program.chance
    letters = "ijkl"
    sizes = {letter: chance.randint(1, 3) for letter in letters + "b"}
    one, two = ("".join(chance.sample(letters, chance.randint(1, 3))) for _ in range(2))
    both = sorted(set(one + two))
    out = "".join(chance.sample(both, chance.randint(0, len(both))))
    kind = chance.choice(KINDS[:13])
    x, y = (leaf(program, [sizes[letter] for letter in part], kind) for part in (one, two))
    b, n, k, m = (chance.randint(1, 3) for _ in range(4))
    p, q = leaf(program, [b, n, k], kind), leaf(program, [b, k, m], kind)
    r = leaf(program, chance.choice([[b, n, m], [n, m], [1, m], [m]]), kind)
    factors = options(chance, beta=[0, 1, 0.5, 2], alpha=[0, 1, 0.5, -2])
    v = leaf(program, [k], kind)
    return chance.choice([
        f"torch.einsum('{one},{two}->{out}', {x}, {y})",
        f"torch.einsum('{one}, {two}', {x}, {y})",
        f"torch.einsum('{one}->{one[::-1]}', {x})",
        f"torch.einsum('...{one[-1]},{one[-1]}...->...', {x}, {x}.mT)" if len(one) > 1 else f"torch.einsum('{one},{one}->', {x}, {x})",
        f"torch.baddbmm({r}, {p}, {q}{factors})",
        f"torch.addbmm({r}, {p}, {q}{factors})",
        f"torch.addmm({r}, {p}[0], {q}[0]{factors})",
        f"torch.addmv({v}[:1], {p}[0], {v}{factors})",
        f"torch.addr({p}[0], {p}[0, :, 0], {v}{factors})",
        f"torch.bmm({p}, {q})", f"{p} @ {q}", f"{p} @ {v}", f"{v} @ {q}", f"torch.matmul({p}[:, None], {q})", f"torch.mm({p}[0], {q}[0])",
        f"torch.tensordot({p}, {q}, dims=([2], [1]))", f"torch.tensordot({p}, {q}, dims={chance.choice([0, 1])})",
        f"torch.inner({p}, {v})", f"torch.outer({v}, {v})", f"torch.kron({p}[0], {q}[0])", f"torch.chain_matmul({p}[0], {q}[0])",
        f"torch.linalg.multi_dot([{p}[0], {q}[0]])", f"F.linear({p}, {q}[0].T)", f"F.linear({p}, {q}[0].mT, {r}[..., -1, :] if {r}.dim() > 1 else {r})",
        f"F.bilinear({p}[0], {p}[0], torch.ones(2, {k}, {k}, dtype={p}.dtype))", f"torch.dot({v}, {v})", f"torch.vdot({v}, {v})", f"torch.mv({p}[0], {v})",
        f"({p} * {q}.mT[:, :1]).sum((0, 2), keepdim=True)", f"torch.trace({p}[0])", f"torch.linalg.vecdot({p}, {p})", f"torch.cross({p}, {p}.flip(0), dim=-1)",
        f"F.scaled_dot_product_attention({p}, {p}, {p}{options(chance, is_causal=[True], scale=[0.3, 1.0])})",
        f"F.embedding(torch.randint(0, {n}, (2, 2)), {p}[0]{options(chance, padding_idx=[0, -1], max_norm=[1.0] if False else ['None'])})",
    ])


def add_form(program):
    program.add(program.chance.choice([convolved, pooled, resized, normalized, lost, lost, multiplied])(program))
