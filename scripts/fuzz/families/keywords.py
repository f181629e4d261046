"""Forms of calls by keyword: out=, dtype=, keepdim=, several dims, layouts, copies."""

from leaves import TYPES, make_leaf

KINDS = ["float32"] * 6 + list(dict.fromkeys(TYPES))


def leaf(program, rank=None):
    chance = program.chance
    shape = [chance.choice([1, 2, 3, 3]) for _ in range(chance.randint(1, 4) if rank is None else rank)]
    return program.add_leaf(make_leaf(chance, chance.choice(KINDS), shape, program.special)), shape


def dims(chance, rank):
    one = chance.randint(-rank, rank - 1)
    several = [at if chance.random() < 0.6 else at - rank for at in chance.sample(range(rank), chance.randint(1, rank))]
    return chance.choice([str(one), str(one), str(tuple(several)), str(several), "None", "()"])


def typed(chance, share=0.3):
    return f", dtype=torch.{chance.choice(KINDS)}" if chance.random() < share else ""


def kept(chance):
    return chance.choice(["", "", ", keepdim=True", ", keepdim=False", ", True"])


def reduced(program):
    chance = program.chance
    x, shape = leaf(program)
    dim = dims(chance, len(shape))
    one = chance.randint(-len(shape), len(shape) - 1)
    keep = kept(chance)
    key = chance.choice(["", "dim="]) if not keep.endswith(", True") else ""
    axis = chance.choice([f"{key}{dim}", f"axis={dim}"]) if keep != ", True" else dim
    return chance.choice([
        f"{x}.sum({axis}{keep}{typed(chance)})",
        f"torch.mean({x}, {axis}{keep}{typed(chance)})",
        f"{x}.prod({one}{keep}{typed(chance)})",
        f"{x}.sum({typed(chance, 1)[2:]})",
        f"torch.amax({x}, {axis}{keep})",
        f"{x}.amin({axis}{keep})",
        f"{x}.std({axis}{chance.choice(['', ', unbiased=False', ', correction=0', ', correction=1', ', correction=2'])}{chance.choice(['', ', keepdim=True'])})",
        f"torch.var({x}, dim={dim}, correction={chance.choice(['0', '1', '0.5'])})",
        f"{x}.var({chance.choice(['', 'False', 'unbiased=True', '-1, False', 'correction=0'])})",
        f"{x}.norm({chance.choice(['', '1', '2, ' + str(one), f'dim={dim}', f'p=2, dim={dim}, keepdim=True'])})",
        f"{x}.any({axis}{keep})",
        f"torch.all({x}, {axis}{keep})",
        f"{x}.max({chance.choice([str(one), f'dim={one}', ''])}{chance.choice(['', ', keepdim=True']) if False else ''})",
        f"{x}.max(dim={one}{kept(chance)})",
        f"{x}.min({one}, keepdim=True).values",
        f"{x}.max({one}).indices",
        f"{x}.argmax({chance.choice(['', f'{one}', f'dim={one}', f'dim={one}, keepdim=True', 'dim=None'])})",
        f"{x}.median({chance.choice(['', str(one), f'dim={one}, keepdim=True'])})",
        f"{x}.logsumexp({dim if dim not in ('None', '()') else one}{kept(chance)})",
        f"{x}.cumsum({chance.choice([f'dim={one}', str(one)])}{typed(chance)})",
        f"{x}.cumprod({one}{typed(chance)})",
        f"{x}.softmax({chance.choice([f'dim={one}', str(one)])}{typed(chance)})",
        f"F.softmax({x}, dim={one}{typed(chance)})",
        f"F.log_softmax({x}, {one}{typed(chance)})",
        f"torch.softmax({x}, -1{typed(chance)})",
        f"{x}.count_nonzero({chance.choice(['', str(one), f'dim={dim}'])})",
        f"torch.aminmax({x}{chance.choice(['', f', dim={one}', f', dim={one}, keepdim=True'])})",
        f"torch.std_mean({x}, {dim}{kept(chance)})",
        f"{x}.nansum({dim})",
        f"{x}.diff({chance.choice(['', 'n=1', f'dim={one}', f'1, {one}'])})",
        f"{x}.sort({chance.choice(['', f'dim={one}', 'descending=True', f'{one}, True', f'stable=True, dim={one}'])})[0]",
        f"{x}.argsort({chance.choice(['', f'dim={one}', f'{one}, True'])}, stable=True)" if chance.random() < 0.2 else f"torch.argsort({x}, dim={one}, stable=True)",
        f"{x}.topk(1, dim={one}{chance.choice(['', ', largest=False', ', sorted=True'])})[0]",
        f"{x}.kthvalue(1, dim={one})[0]",
        f"{x}.unique({chance.choice(['', 'return_counts=True', 'return_inverse=True', 'sorted=True', 'dim=0'])})",
        f"{x}.quantile({chance.choice(['0.5', '0.3, dim=-1', '0.25, dim=0, keepdim=True'])})",
        f"{x}.cummax({one})[0]",
        f"{x}.renorm(2, 0, 1.0)",
    ])


def copied(program):
    chance = program.chance
    x, shape = leaf(program)
    y, _ = leaf(program, 0 if chance.random() < 0.3 else None)
    rank = len(shape)
    kind = f"torch.{chance.choice(KINDS)}"
    layout = chance.choice(["torch.contiguous_format", "torch.preserve_format", "torch.channels_last"])
    call = chance.choice("float double half bfloat16 int long short bool char byte cfloat".split())
    return chance.choice([
        f"{x}.to({kind}{chance.choice(['', ', copy=True', ', non_blocking=True', ', True', ', non_blocking=False, copy=False'])})",
        f"{x}.to(dtype={kind})",
        f"{x}.to('cpu'{chance.choice(['', ', ' + kind, ', non_blocking=True'])})",
        f"{x}.to(device='cpu', dtype={kind}, memory_format=torch.preserve_format)",
        f"{x}.to({y})",
        f"{x}.to({x}) is {x}",
        f"{x}.to({kind}) is {x}",
        f"{x}.{call}()",
        f"{x}.{call}(memory_format=torch.preserve_format)",
        f"{x}.clone(memory_format={layout})",
        f"{x}.contiguous(memory_format={layout}).stride()",
        f"{x}.contiguous() is {x}",
        f"{x}.clone(memory_format={layout}).stride()",
        f"{x}.mT.clone().stride()",
        f"torch.empty_like({x}.transpose(0, -1)).stride()",
        f"({x}.transpose(0, -1) + 1).stride()",
        f"{x}.cpu()",
        f"{x}.detach().numpy().{chance.choice(['shape', 'tolist()', 'dtype.name', 'sum().item()', 'ndim', 'T.shape', 'strides'])}",
        f"torch.from_numpy({x}.detach().numpy()) * 2",
        f"np.asarray({x}.detach()).tolist()",
        f"np.array({x}.tolist()).shape",
        f"torch.tensor({x}.detach().numpy() * 2)",
        f"torch.as_tensor({x}.detach().numpy(){chance.choice(['', ', dtype=' + kind])})",
        f"{x}.numpy()",
        f"{x}.tolist()",
        f"{x}.reshape(-1)[0].item()",
        f"{x}.reshape_as({x})",
        f"{x}.view({kind})",
        f"{x}.expand_as({x})",
        f"{x}.repeat({', '.join(['2'] * rank)})",
        f"{x}.repeat(2, {', '.join(['1'] * rank)})",
        f"{x}.tile({chance.choice(['2', '(2, 1)', '2, 2'])})",
        f"{x}.squeeze({chance.choice(['0', '(0, -1)', 'dim=-1'])})",
        f"{x}.flatten({chance.choice(['0, -1', 'start_dim=0', 'start_dim=-1', 'end_dim=0'])})",
        f"{x}.permute({', '.join(map(str, reversed(range(rank))))})",
        f"torch.permute({x}, {tuple(reversed(range(rank)))})",
        f"{x}.movedim({chance.choice(['0, -1', '(0,), (-1,)', 'source=0, destination=-1'])})",
        f"torch.transpose({x}, dim0=0, dim1=-1)",
        f"{x}.unsqueeze(dim={chance.randint(-rank - 1, rank)})",
        f"torch.cat(({x}, {x}), dim={chance.randint(-rank, rank - 1)})",
        f"torch.cat(tensors=[{x}], dim=0)",
        f"torch.stack(({x}, {x}), dim={chance.randint(-rank - 1, rank)})",
        f"torch.concat([{x}, {x}], axis=0)",
        f"torch.hstack([{x}, {x}])",
        f"torch.vstack([{x}, {x}])",
        f"torch.dstack([{x}, {x}])",
        f"F.pad({x}, {chance.choice(['(1, 1)', '(0, 1)', '(1, -1)', '[2, 0]'])}{chance.choice(['', ', value=0.5', ', mode=' + repr('constant') + ', value=1', ', ' + repr('constant') + ', -1'])})",
        f"F.pad({x}, (1, 0), mode='{chance.choice(['reflect', 'replicate', 'circular'])}')",
        f"torch.broadcast_tensors({x}, {y})",
        f"torch.broadcast_shapes({x}.shape, (1,))",
        f"torch.atleast_2d({x})",
        f"{x}.diagonal(offset={chance.randint(-1, 1)}, dim1=0, dim2=-1)" if rank > 1 else f"torch.diag({x})",
        f"torch.diag_embed({x}{chance.choice(['', ', offset=1', ', 0, 0, 1'])})",
        f"{x}.tril(diagonal=-1)" if rank > 1 else f"torch.outer({x}, {x})",
    ])


def written(program):
    """Results that are written to a tensor that is there."""
    chance = program.chance
    x, shape = leaf(program)
    name = f"w{program.made}"
    y = program.operand(shape, str(program.names[x].dtype).removeprefix("torch."))
    kind = chance.choice([f"{x}.dtype", "torch.float32", "torch.float64", "torch.int64", "torch.bool"])
    size = chance.choice([f"{x}.shape", f"{x}.shape", "0", "2, 5"])
    program.run(f"{name} = torch.zeros({size}, dtype={kind})", 0.3)
    dim = chance.randint(-len(shape), len(shape) - 1)
    call = chance.choice([
        f"torch.{chance.choice(['add', 'sub', 'mul', 'div', 'maximum', 'eq', 'lt', 'pow', 'matmul', 'remainder'])}({x}.detach(), {y}.detach(), out={name})",
        f"torch.{chance.choice(['exp', 'abs', 'neg', 'tanh', 'sigmoid', 'sqrt', 'sin', 'floor', 'isnan'])}({x}.detach(), out={name})",
        f"torch.{chance.choice(['sum', 'mean', 'amax', 'prod', 'cumsum', 'softmax', 'argmax', 'any', 'logsumexp'])}({x}.detach(), {dim}, out={name})",
        f"torch.cat([{x}.detach(), {y}.detach()], {dim}, out={name})",
        f"torch.stack([{x}.detach(), {y}.detach()], {dim}, out={name})",
        f"torch.clamp({x}.detach(), 0, 1, out={name})",
        f"torch.where({x}.detach() == {x}.detach(), {x}.detach(), {y}.detach(), out={name})",
        f"torch.add({x}, {y}, out={name})",
        f"torch.zeros({tuple(shape)}, out={name})",
        f"torch.arange(3, out={name})",
        f"torch.index_select({x}.detach(), {dim}, torch.tensor([0]), out={name})",
        f"torch.sort({x}.detach(), {dim}, out=({name}, torch.empty(0, dtype=torch.int64)))[0]",
        f"torch.max({x}.detach(), {dim}, out=({name}, torch.empty(0, dtype=torch.int64)))",
    ])
    given = program.names[name].shape
    is_written = program.run(f"_ = {call}", 0.4)
    # What takes its shape before the call is refused holds what memory had.
    return f"{name}.clone()" if is_written or program.names[name].shape == given else f"{name}.shape"


def add_keyword(program):
    program.add(program.chance.choice([reduced, reduced, copied, copied, written])(program))
