"""How tensors print, and what their attributes say."""

from leaves import TYPES, shape_of

KINDS = list(dict.fromkeys(TYPES))
TEXTS = ["str({})", "repr({})", "f'{{{}}}'", "'%s' % {}", "str({}.shape)", "str({}.dtype)", "str({}.grad_fn is None)"]
TEXTS += ["repr({}.size())", "str(({}, 1))", "str([{}])", "str({{'a': {}}})", "str({}.detach())", "str({}.requires_grad)"]
TEXTS += ["type({}).__name__", "str(type({}))", "str({}.device)", "str({}.layout)", "str({}.tolist())"]
NUMBERED = ["f'{{{}.sum():.2f}}'", "f'{{{}.sum().item():.3f}}'", "'%.2f' % {}.sum()", "f'{{{}.max()}}'", "f'{{{}.numel():>5}}'"]
NUMBERED += ["f'{{{}.sum():.1e}}'", "f'{{{}.sum():>10.3f}}'", "'{{:.3f}}'.format({}.float().mean())", "f'{{{}.float().mean().item():g}}'"]
ATTRIBUTES = ["stride()", "is_contiguous()", "storage_offset()", "is_leaf", "requires_grad", "_version", "ndim", "T.shape"]
ATTRIBUTES += ["numel()", "nelement()", "dim()", "size()", "size(-1)", "stride(-1)", "shape[-1:]", "shape.numel()", "is_cuda"]
ATTRIBUTES += ["device.type", "names", "grad is None", "grad_fn is None", "element_size()", "itemsize", "nbytes", "is_sparse"]
ATTRIBUTES += ["is_quantized", "is_meta", "get_device()", "is_nonzero()", "is_signed()", "is_inference()", "is_conj()", "is_neg()"]
ATTRIBUTES += ["output_nr", "retains_grad", "layout == torch.strided", "dim_order()", "is_shared()", "is_pinned()", "has_names()"]
ATTRIBUTES += ["is_same_size({})", "untyped_storage().nbytes()", "__len__()", "__contains__(1)", "is_set_to({})", "mH.shape", "H.shape"]
MADE = ["{} + 1", "{} * 2", "{}.mT", "{}[..., ::2]", "{}[0]", "{}.sum()", "{}.view(-1)", "{}.reshape(-1)", "{}.clone()", "{}.detach()"]
MADE += ["{}.exp()", "torch.cat([{}, {}])", "{}.softmax(-1)", "{}.unsqueeze(0)", "{}.expand(2, *{}.shape)", "{}.to(torch.float64)"]
MADE += ["{}.unbind(0)[0]", "{}.split(1)[0]", "{}.max(0)[0]", "{}.sort()[0]", "{}.transpose(0, -1)", "torch.stack([{}])", "{}.permute(*reversed(range({}.dim())))"]
MADE += ["F.layer_norm({}, {}.shape[-1:])", "F.gelu({})", "{} @ {}.mT", "{}.pow(2)", "{}.mean(-1, keepdim=True)", "torch.where({} > 0, {}, 0)"]
MADE += ["F.linear({}, {})", "{}.masked_fill({} > 0, 0)", "F.dropout({}, 0.1)", "{}.relu()", "{}.type_as({})", "{}.flatten()", "{}.float()", "-{}", "1 / {}", "{} ** 3"]


def filled(template, name):
    return template.replace("{{", "\0").replace("}}", "\1").replace("{}", name).replace("\0", "{").replace("\1", "}")


def some_tensor(program):
    chance = program.chance
    if chance.random() < 0.2:
        shape = [chance.choice([7, 11, 40]) for _ in range(chance.randint(1, 2))]
        shape[-1:] = [9]
    else:
        shape = shape_of(chance)
    return program.operand(shape, chance.choice(KINDS))


def add_text(program):
    chance = program.chance
    x = some_tensor(program)
    if chance.random() < 0.6:
        name = f"r{program.made}"
        program.add(filled(chance.choice(MADE), x))
        x = name if name in program.names else x
    form = chance.random()
    if form < 0.4:
        program.add(filled(chance.choice(TEXTS), x))
    elif form < 0.5:
        program.add(filled(chance.choice(NUMBERED), x))
    elif form < 0.8:
        program.add(f"{x}.{filled(chance.choice(ATTRIBUTES), x)}")
    elif form < 0.9:
        program.add(f"type({x}.grad_fn).__name__")
    else:
        y = chance.choice(program.tensors())
        program.add(chance.choice([
            f"{x}.data_ptr() == {y}.data_ptr()",
            f"{x} is {y}",
            f"{x}.storage().data_ptr() == {y}.storage().data_ptr()",
            f"{x}.untyped_storage().data_ptr() == {y}.untyped_storage().data_ptr()",
            f"({y}._base is {x}, {y}._is_view())",
            f"({x}.grad_fn.name() if {x}.grad_fn else None)",
            f"str({x}.grad_fn).split(' ')[0]",
            f"[type(f[0]).__name__ for f in {x}.grad_fn.next_functions]",
            f"{x}.shape == {y}.shape",
            f"{x}.shape + {y}.shape",
        ]))
