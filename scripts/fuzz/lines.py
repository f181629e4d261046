"""Random lines on tensors that are there: views, indices, edits in place, and plain calls."""

import torch

from leaves import FLOATS, TYPES, WHOLE, fitting_shape, make_leaf

NUMBERS = ["0", "1", "2", "-1", "3", "0.5", "-1.5", "2.0", "True"]
NUMBERS += ["0.1", "-0.7"]


def axis(chance, tensor):
    rank = max(tensor.dim(), 1)
    if chance.random() < 0.04:
        return chance.choice([rank, -rank - 1])
    return chance.randint(-rank, rank - 1)


def size_at(tensor, dim):
    return tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 1


def bound(chance, size):
    return chance.choice(["", "", str(chance.randint(-size - 1, size + 1))])


def item(chance, size, rank_left):
    """One part of an index, for an axis of `size`."""
    kind = chance.choice(["slice"] * 4 + ["int"] * 3 + ["list", "tensor", "mask"])
    if kind == "slice":
        step = chance.choice(["", "", ":2", ":1", ":3"])
        return f"{bound(chance, size)}:{bound(chance, size)}{step}"
    if kind == "int" or size == 0:
        inside = chance.random() > 0.03
        return str(chance.randint(-size, size - 1) if inside and size else size)
    picks = [chance.randint(-size, size - 1) for _ in range(chance.choice([0, 1, 2, 2, 3]))]
    if kind == "list":
        return str(picks)
    if kind == "mask":
        return f"torch.tensor({[chance.random() < 0.5 for _ in range(size)]})"
    if chance.random() < 0.2 and picks:
        return f"torch.tensor({picks[0]})"
    if chance.random() < 0.3 and picks:
        return f"torch.tensor([{picks}, {picks}])"
    typed = chance.choice(["", "", ", dtype=torch.int32", ", dtype=torch.int64"])
    return f"torch.tensor({picks}{typed or ', dtype=torch.int64'})"


def index(chance, tensor, name):
    if chance.random() < 0.12 and tensor.dim():
        return f"{name} > {chance.choice(NUMBERS[:7])}" if not tensor.is_complex() else "..."
    parts = []
    count = chance.randint(0, tensor.dim())
    for at in range(count):
        if chance.random() < 0.1:
            parts.append("None")
        parts.append(item(chance, tensor.shape[at], tensor.dim() - at))
    if chance.random() < 0.15:
        parts.append("...")
        if chance.random() < 0.4 and count < tensor.dim():
            parts.append(item(chance, tensor.shape[-1], 1))
    if chance.random() < 0.05:
        parts.append(chance.choice(["None", "True", "False"]))
    return ", ".join(parts) or chance.choice(["...", "None", ":", "()"])


def permutation(chance, rank):
    order = list(range(rank))
    chance.shuffle(order)
    return [at if chance.random() < 0.8 else at - rank for at in order]


def factors(chance, count):
    """A shape of so many elements, now and then with a -1."""
    sizes = []
    rest = count
    for _ in range(chance.randint(0, 3)):
        part = chance.choice([size for size in range(1, 7) if rest % size == 0])
        sizes.append(part)
        rest = rest // part if part else 0
    sizes.append(rest)
    if chance.random() < 0.3:
        sizes[chance.randrange(len(sizes))] = -1
    return sizes


def view(chance, tensor, name):
    """A view of a tensor, or what looks like one."""
    dim, other = axis(chance, tensor), axis(chance, tensor)
    size = size_at(tensor, dim)
    part = chance.randint(0, max(size, 1))
    shape = tensor.shape
    forms = [
        f"{name}[{index(chance, tensor, name)}]",
        f"{name}[{index(chance, tensor, name)}]",
        f"{name}[{index(chance, tensor, name)}]",
        f"{name}.transpose({dim}, {other})",
        f"{name}.permute({permutation(chance, tensor.dim())})",
        f"{name}.unsqueeze({chance.randint(-tensor.dim() - 1, tensor.dim())})",
        f"{name}.squeeze()",
        f"{name}.squeeze({dim})",
        f"{name}.narrow({dim}, {chance.randint(0, max(size - part, 0))}, {part})",
        f"{name}.select({dim}, {chance.randint(-max(size, 1), max(size - 1, 0))})",
        f"{name}.expand({[size if size != 1 or chance.random() < 0.4 else 3 for size in shape]})",
        f"{name}.expand(2, {', '.join(['-1'] * tensor.dim())})",
        f"{name}.reshape({factors(chance, tensor.numel())})",
        f"{name}.view({factors(chance, tensor.numel())})",
        f"{name}.flatten({chance.choice(['', str(dim)])})",
        f"{name}.unfold({dim}, {chance.randint(1, max(size, 1))}, {chance.randint(1, 2)})",
        f"{name}.diagonal({chance.choice(['', '1', '-1', f'0, {dim}, {other}'])})",
        f"{name}.movedim({dim}, {other})",
        f"{name}.chunk({chance.randint(1, 3)}, {dim})",
        f"{name}.split({max(part, 1)}, {dim})",
        f"{name}.unbind({dim})",
        f"{name}.tensor_split({chance.randint(1, 3)}, {dim})",
        f"{name}.mT",
        f"{name}.t()",
        f"{name}.detach()",
        f"{name}.clone()",
        f"{name}.contiguous()",
        f"{name}.view_as({name})",
        f"{name}.swapaxes({dim}, {other})",
        f"torch.broadcast_to({name}, {[2, *shape]})",
        strided(chance, tensor, name),
        f"{name}.real",
        f"{name}.imag" if tensor.is_complex() else f"{name}.flip([{dim}])",
        f"torch.view_as_real({name})" if tensor.is_complex() else f"{name}.roll({part}, {dim})",
    ]
    return chance.choice(forms)


def strided(chance, tensor, name):
    """Within the memory of a contiguous tensor."""
    room = tensor.numel()
    sizes, strides, reach = [], [], 0
    for _ in range(chance.randint(1, 3)):
        stride = chance.choice([0, 1, 1, 2, 3])
        size = chance.randint(1, 3)
        if reach + (size - 1) * stride < room:
            sizes.append(size)
            strides.append(stride)
            reach += (size - 1) * stride
    return f"{name}.as_strided({sizes}, {strides})"


def scalar(chance, tensor):
    return chance.choice(NUMBERS + (["1j"] if tensor.is_complex() else []))


def is_leaf(tensor):
    """Of a view that PyTorch refuses to look at any more, no."""
    try:
        return tensor.is_leaf
    except RuntimeError:
        return False


def edit(chance, tensor, name, operand):
    """An edit in place; `operand` makes a tensor that fits a shape and says its name."""
    dim = axis(chance, tensor)
    size = size_at(tensor, dim)
    value = scalar(chance, tensor)
    chosen = index(chance, tensor, name)
    other = operand(tensor.shape)
    picks = [chance.randint(0, size - 1) for _ in range(2)] if size else []
    picked = f"torch.tensor({picks}, dtype=torch.int64)"
    same = operand(
        [2 if at == dim % max(tensor.dim(), 1) else n for at, n in enumerate(tensor.shape)]
    )
    forms = [
        *[f"{name}[{chosen}] = {value}"] * 3,
        f"{name}[{chosen}] = {other}",
        f"{name}[{chosen}] += {value}",
        f"{name}[{chosen}].mul_({value})",
        *[
            f"{name}.{call}_({chance.choice([other, value])})"
            for call in ("add", "sub", "mul", "div")
        ],
        f"{name} {chance.choice(ASSIGNED)} {chance.choice([other, value])}",
        f"{name}.{chance.choice(EDITS)}({other})",
        f"{name}.zero_()",
        f"{name}.fill_({value})",
        f"{name}.{chance.choice(UNARY)}_()",
        f"{name}.clamp_({chance.choice(['0', '-0.5, 0.5', 'max=1', 'min=-1'])})",
        f"{name}.masked_fill_({name} > 0, {value})",
        f"{name}.masked_fill_({operand(tensor.shape, 'bool')}, {value})",
        f"{name}.index_fill_({dim}, {picked}, {value})",
        f"{name}.index_add_({dim}, {picked}, {same})",
        f"{name}.index_copy_({dim}, {picked}, {same})",
        f"{name}.addcmul_({other}, {operand(tensor.shape)}, value={value})",
        f"{name}.lerp_({other}, 0.25)",
        f"{name}.t_()",
        f"{name}.unsqueeze_(0)",
        f"{name}.squeeze_()",
        f"{name}.transpose_({dim}, {axis(chance, tensor)})",
        f"{name}.fill_diagonal_({value})",
        f"{name}.cumsum_({dim})",
        f"{name}.tril_()",
        f"torch.{chance.choice(['add', 'mul', 'sub'])}({name}, {value}, out={name})",
        f"torch.{chance.choice(['sin', 'abs', 'neg'])}({other}, out={name})",
        f"{name}.neg_()",
        f"{name}.requires_grad_()" if chance.random() < 0.3 or is_leaf(tensor) else f"{name}.detach_()",
    ]
    line = chance.choice(forms)
    if chance.random() < 0.15:
        return f"with torch.no_grad(): {line}"
    return line


UNARY = "relu sigmoid tanh exp sin cos abs neg sqrt square floor round sign reciprocal erf".split()
BINARY = "add sub mul div maximum minimum pow fmod remainder atan2 eq lt ge".split()
BINARY += "logical_and bitwise_and bitwise_xor floor_divide hypot copysign".split()
REDUCE = "sum mean amax amin prod std var argmax argmin cumsum softmax log_softmax all any".split()
REDUCE += ["logsumexp"]
KEEPING = ["sum", "mean", "amax", "std", "var", "all", "logsumexp"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", "==", "&", "|", "@"]
ASSIGNED = ["+=", "-=", "*=", "/=", "//=", "%=", "**="]
EDITS = ["copy_", "maximum", "fmod_", "remainder_", "pow_", "lt_", "eq_", "atan2_"]
REDUCE += ["max", "min", "median", "sort", "cumprod", "norm", "unique_consecutive", "logcumsumexp"]


def fits(tensor, dtype):
    """What a float beyond an integer type's range becomes, C++ leaves undefined."""
    if dtype not in WHOLE or not tensor.is_floating_point():
        return True
    range_ = torch.iinfo(getattr(torch, dtype))
    return bool(((tensor >= range_.min) & (tensor <= range_.max)).all())


def reductions(tensor, dim):
    """Along an axis that shows one element again and again PyTorch's median reads beside its memory."""
    is_there = -tensor.dim() <= dim < tensor.dim()
    reads_beside = is_there and tensor.size(dim) > 1 and tensor.stride(dim) == 0
    return [name for name in REDUCE if name != "median" or not reads_beside]


def plain(chance, tensor, name, operand):
    """A call that makes something new."""
    dim = axis(chance, tensor)
    other = operand(fitting_shape(chance, tensor.shape))
    to = chance.choice([to for to in TYPES if fits(tensor, to)])
    keep = chance.choice(["", ", keepdim=True"])
    forms = [
        f"{name}.{chance.choice(UNARY)}()",
        f"torch.{chance.choice(BINARY)}({name}, {other})",
        f"torch.{chance.choice(BINARY)}({name}, {scalar(chance, tensor)})",
        f"{name} {chance.choice(OPERATORS)} {other}",
        f"{scalar(chance, tensor)} {chance.choice(['+', '-', '*', '/', '**', '>', '//'])} {name}",
        f"{name}.{chance.choice(reductions(tensor, dim))}({chance.choice([str(dim), str(dim), ''])})",
        f"{name}.{chance.choice(KEEPING)}({dim}{keep})",
        f"{name}.to(torch.{to})",
        f"{name}.type_as({other})",
        f"torch.where({operand(fitting_shape(chance, tensor.shape), 'bool')}, {name}, {other})",
        f"torch.cat([{name}, {operand(tensor.shape)}], {dim})",
        f"torch.stack([{name}, {operand(tensor.shape)}], {dim})",
        f"{name}.masked_select({operand(tensor.shape, 'bool')})",
        f"{name}.nonzero()",
        f"{name}.sum().item()",
        f"{name}.{chance.choice(['dtype', 'shape', 'requires_grad', 'is_leaf', 'ndim'])}",
        f"{name}.{chance.choice(['stride()', 'is_contiguous()', 'numel()', 'storage_offset()'])}",
        f"torch.matmul({name}, {operand([*tensor.shape[1:], 2][-2:])})",
    ]
    return chance.choice(forms)


def fresh(chance, shape, special, dtype=None):
    """A leaf for an operand."""
    dtype = dtype or chance.choice([*FLOATS, *WHOLE[:2]])
    return make_leaf(chance, dtype, shape, special)
