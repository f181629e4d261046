"""Indices as code writes them: several tensors, masks, None and Ellipsis, reading and writing."""

from leaves import TYPES, count_of, make_leaf

KINDS = ["float32"] * 6 + list(dict.fromkeys(TYPES))
VALUES = ["0", "1", "-2.5", "2", "True", "float('-inf')"]


def places(program, size, shape):
    """A leaf of positions along an axis of `size`."""
    chance = program.chance
    data = [chance.randint(-size, size - 1) for _ in range(count_of(shape))] if size else []
    if not size:
        shape = [0]
    return program.add_leaf({"dtype": "int64", "shape": list(shape), "data": data, "grad": False})


def mask(program, shape):
    chance = program.chance
    data = [chance.random() < 0.5 for _ in range(count_of(shape))]
    return program.add_leaf({"dtype": "bool", "shape": list(shape), "data": data, "grad": False})


def slice_of(chance, size):
    end = lambda: chance.choice(["", "", str(chance.randint(-size - 1, size + 1))])
    step = chance.choice(["", "", "", ":2", ":", ":-1" if chance.random() < 0.1 else ""])
    return f"{end()}:{end()}{step}"


def index(program, shape):
    """An index of a shape; its tensors broadcast with each other."""
    chance = program.chance
    common = chance.choice([[2], [3], [1], [2, 2], [2, 1], []])
    parts, at = [], 0
    while at < len(shape) and chance.random() < 0.85:
        size = shape[at]
        form = chance.choice(["slice", "slice", "int", "places", "places", "mask", "list", "None", "ellipsis", "range", "np"])
        if form == "mask":
            wide = chance.randint(1, min(2, len(shape) - at))
            parts.append(mask(program, shape[at:at + wide]))
            at += wide
            continue
        if form == "None":
            parts.append("None")
            continue
        if form == "ellipsis":
            if "..." not in parts and at == len(parts):
                parts.append("...")
                at = max(at, len(shape) - chance.randint(0, 2))
            continue
        if form == "slice" or not size:
            parts.append(slice_of(chance, size))
        elif form == "int":
            parts.append(str(chance.randint(-size, size - 1)))
        elif form == "list":
            parts.append(str([chance.randint(-size, size - 1) for _ in range(2)]))
        elif form == "range":
            parts.append(f"range({chance.randint(1, size)})")
        elif form == "np":
            parts.append(f"np.array({[chance.randint(0, size - 1) for _ in range(2)]})")
        else:
            fits = [[1 if chance.random() < 0.2 else n for n in common[k:]] for k in range(len(common) + 1)]
            parts.append(places(program, size, chance.choice(fits[:2])))
        at += 1
    return ", ".join(parts) or "..."


def leaf(program, rank=None):
    chance = program.chance
    rank = chance.randint(1, 4) if rank is None else rank
    shape = [chance.choice([1, 2, 3, 3, 4]) for _ in range(rank)]
    name = program.add_leaf(make_leaf(chance, chance.choice(KINDS), shape, program.special))
    return name, shape


def read(program):
    x, shape = leaf(program)
    program.add(f"{x}[{index(program, shape)}]")


def written(program):
    chance = program.chance
    x, shape = leaf(program)
    name = f"w{program.made}"
    program.run(f"{name} = {x}.clone()", 0)
    at = index(program, shape)
    try:
        part = list(eval(f"{name}[{at}]", program.names).shape)
    except Exception:
        part = [1]
    value = chance.choice([
        chance.choice(VALUES),
        lambda: program.operand(part),
        lambda: program.operand(part[chance.randint(0, len(part)):]),
        lambda: f"{name}[{at}] * 2",
        lambda: f"torch.tensor({chance.choice(VALUES)})",
    ])
    value = value if isinstance(value, str) else value()
    program.run(f"{name}[{at}] {chance.choice(['=', '=', '=', '+=', '-=', '*=', '/='])} {value}", 0.4)
    program.add(f"{name}.clone()")


def picked(program):
    """Calls that take positions."""
    chance = program.chance
    x, shape = leaf(program)
    dim = chance.randint(-len(shape), len(shape) - 1)
    size = shape[dim]
    narrow = [n if at == dim % len(shape) else chance.randint(1, n) for at, n in enumerate(shape)]
    narrow[dim] = chance.choice([1, 2, size])
    where = places(program, size, narrow)
    flat = places(program, size, [chance.randint(1, 3)])
    source = program.operand(narrow, program_type(program, x))
    lined = list(shape)
    lined[dim] = program.names[flat].shape[0]
    rows = program.operand(lined, program_type(program, x))
    value = chance.choice(VALUES[:5])
    name = f"{x}.clone()"
    reduce = chance.choice(["sum", "prod", "mean", "amax", "amin"])
    include = chance.choice(["", ", include_self=False", ", include_self=True"])
    two = [places(program, n, [3]) for n in shape[:2]]
    many = ", ".join(two)
    fits = program.operand([3, *shape[2:]], program_type(program, x))
    inner = mask(program, shape)
    lead = mask(program, shape[: chance.randint(1, len(shape))])
    forms = [
        f"torch.gather({x}, {dim}, {where})",
        f"{x}.gather(dim={dim}, index={where})",
        f"{x}.gather({dim}, {where}.expand_as({where}))",
        f"{name}.scatter_({dim}, {where}, {value})",
        f"{name}.scatter_({dim}, {where}, {source})",
        f"{name}.scatter_(dim={dim}, index={where}, src={source})",
        f"{name}.scatter_(dim={dim}, index={where}, value={value})",
        f"{x}.scatter({dim}, {where}, {source}, reduce='{chance.choice(['add', 'multiply'])}')",
        f"{x}.scatter_add({dim}, {where}, {source})",
        f"{name}.scatter_add_({dim}, {where}, {source})",
        f"{x}.scatter_reduce({dim}, {where}, {source}, reduce='{reduce}'{include})",
        f"{name}.scatter_reduce_({dim}, {where}, {source}, '{reduce}'{include})",
        f"torch.index_select({x}, {dim}, {flat})",
        f"{x}.index_select({dim}, {flat}.int())",
        f"{x}.index_add({dim}, {flat}, {rows}{chance.choice(['', ', alpha=2', ', alpha=0.5'])})",
        f"{name}.index_add_({dim}, {flat}, {rows})",
        f"{x}.index_copy({dim}, {flat}, {rows})",
        f"{x}.index_fill({dim}, {flat}, {value})",
        f"{x}.index_reduce({dim}, {flat}, {rows}, '{chance.choice(['prod', 'mean', 'amax', 'amin'])}'{include})",
        f"{name}.index_put_(({many},), {fits}{chance.choice(['', ', accumulate=True', ', True'])})",
        f"{x}.index_put(({many},), {fits}, accumulate={chance.random() < 0.5})",
        f"{name}.index_put_(({many},), torch.tensor({value}, dtype={x}.dtype))",
        f"torch.take({x}, {flat})",
        f"torch.take_along_dim({x}, {where}, {dim})",
        f"{name}.put_({flat}, {flat}.to({x}.dtype), accumulate={chance.random() < 0.5})",
        f"{x}.masked_fill({inner}, {value})",
        f"{name}.masked_fill_({inner}, float('-inf'))",
        f"{x}.masked_fill(~{inner}, {value})",
        f"{x}.masked_fill({inner} == 0, {value})",
        f"{name}.masked_scatter_({inner}, {x})",
        f"{x}.masked_select({inner})",
        f"{x}[{lead}]",
        f"{x}[{lead}].sum(0)",
        f"{x}[~{lead}] * 2",
        f"torch.where({inner}, {x}, {value})",
        f"torch.where({inner}, {value}, {x})",
        f"torch.where({inner}, {x}, torch.tensor({value}))",
        f"torch.where({lead})",
        f"{inner}.nonzero(as_tuple=True)",
        f"torch.nonzero({inner}, as_tuple=False)",
        f"torch.argwhere({inner})",
        f"{x}[{inner}.nonzero(as_tuple=True)]",
        f"{x}[torch.where({lead})]",
        f"F.one_hot({flat} % {size}{chance.choice(['', f', {size}', f', num_classes={size + 1}'])})",
        f"torch.bincount({flat} % {size}{chance.choice(['', ', minlength=6', f', weights={flat} * 0.5'])})",
        f"{x}.topk({chance.randint(1, size)}, dim={dim})[0]",
        f"{x}.sort(dim={dim}, descending={chance.random() < 0.5})[0]",
        f"torch.searchsorted(torch.arange({size}.), {flat}.float(){chance.choice(['', ', right=True', ', side=' + repr('left')])})",
        f"torch.bucketize({flat}, torch.arange({size}))",
        f"{x}.select({dim}, {chance.randint(0, size - 1)})",
        f"{x}.narrow({dim}, 0, 1)",
        f"torch.select_scatter({x}, {x}.select({dim}, 0), {dim}, -1)",
        f"torch.slice_scatter({x}, {x}.narrow({dim}, 0, 1), {dim}, 0, 1)",
        f"{x}.repeat_interleave({chance.randint(1, 3)}, dim={dim})",
        f"torch.repeat_interleave({x}, torch.arange({size}), dim={dim})",
        f"{x}.unfold({dim}, 1, 1)",
        f"{x}.roll({chance.randint(-3, 3)}, dims={dim})",
        f"torch.roll({x}, shifts=(1, -1), dims=({dim}, 0))",
        f"torch.flip({x}, dims=({dim},))",
        f"{x}.rot90()" if len(shape) > 1 else f"{x}.flip(0)",
    ]
    program.add(chance.choice(forms))


def parted(program):
    """Parts of uneven sizes."""
    chance = program.chance
    x, shape = leaf(program)
    dim = chance.randint(-len(shape), len(shape) - 1)
    size = shape[dim]
    first = chance.randint(0, size)
    program.add(chance.choice([
        f"{x}.split({chance.randint(1, size + 1)}, dim={dim})",
        f"{x}.split([{first}, {size - first}], dim={dim})",
        f"torch.split({x}, [{first}, {size - first + 1}], {dim})",
        f"torch.split({x}, ({first}, {size - first}), dim={dim})",
        f"{x}.chunk({chance.randint(1, 5)}, dim={dim})",
        f"torch.chunk({x}, chunks=2, dim={dim})",
        f"{x}.unbind({dim})",
        f"torch.unbind({x}, dim={dim})",
        f"{x}.tensor_split({chance.randint(1, 4)}, dim={dim})",
        f"{x}.tensor_split([{first}, {first}], {dim})",
        f"list({x})",
        f"[a * 2 for a in {x}]",
        f"torch.stack(list({x}), dim=-1)",
        f"torch.cat({x}.split(1, {dim}), {dim})",
        f"torch.cat([*{x}.chunk(2, {dim})][::-1], dim={dim})",
        f"torch.hsplit({x}, 1)",
        f"[p.shape for p in {x}.split(2, {dim})]",
        f"tuple(map(torch.sum, {x}.unbind({dim})))",
        f"{x}.unflatten({dim}, (-1, 1))",
        f"torch.unflatten({x}, {dim}, (1, {size}))",
    ]))


def program_type(program, name):
    return str(program.names[name].dtype).removeprefix("torch.")


def add_index(program):
    program.chance.choice([read, read, written, written, picked, picked, parted])(program)
