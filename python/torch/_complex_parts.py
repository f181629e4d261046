"""Calls that are linear in their complex arguments: made of what they give of the parts.

A line of CALLS has a call's parameters: of those with `~` the result is a product, those with `+`
are added to it, and the others are what they are for both parts.
"""

import itertools

from ._call import call

CALLS = """
bilinear ~input1 ~input2 ~weight +bias
bmm ~input ~mat2
channel_shuffle +input groups
conv1d ~input ~weight +bias stride padding dilation groups
conv2d ~input ~weight +bias stride padding dilation groups
conv3d ~input ~weight +bias stride padding dilation groups
conv_transpose1d ~input ~weight +bias stride padding output_padding groups dilation
conv_transpose2d ~input ~weight +bias stride padding output_padding groups dilation
conv_transpose3d ~input ~weight +bias stride padding output_padding groups dilation
cross ~input ~other dim
cumulative_trapezoid ~y ~x dx dim
diag +input diagonal
diag_embed +input offset dim1 dim2
diagflat +input offset
embedding input +weight padding_idx max_norm norm_type scale_grad_by_freq sparse
fold +input output_size kernel_size dilation padding stride
functional_unfold +input kernel_size dilation padding stride
index_fill +input dim index +value
inner ~input ~other
kron ~input ~other
linalg_cross ~input ~other dim
linear ~input ~weight +bias
linspace +start +end steps base dtype
masked_scatter +input mask +source
pad +input pad mode +value
pixel_shuffle +input upscale_factor
pixel_unshuffle +input downscale_factor
scatter_add +input dim index +src
take +input index
take_along_dim +input indices dim
tensordot ~a ~b dims
trace +input
trapezoid ~y ~x dx dim
trapz ~y ~x dx dim
"""

# Their operands may be of several types.
_PROMOTING = set("cross linalg_cross kron linspace trapezoid trapz cumulative_trapezoid".split())


def _rule(key, params):
    names = [param.lstrip("~+") for param in params]
    factors = [param[1:] for param in params if param[0] == "~"]
    summands = [param[1:] for param in params if param[0] == "+"]

    def rule(*args, **kwargs):
        given = {**dict(zip(names, args)), **kwargs}
        dtype = given.get("dtype")
        if key not in _PROMOTING:
            _need_one_type(key, [given.get(name) for name in factors + summands])
        if dtype is not None and dtype.is_complex:
            given["dtype"] = dtype.to_real()
        split = [name for name in factors if _is_complex(given.get(name))]
        return _sum(key, given, split, [name for name in summands if name in given])

    return rule


def _need_one_type(key, operands):
    types = [operand.dtype for operand in operands if hasattr(operand, "dtype")]
    if types and not (types[0].is_complex and all(one == types[0] for one in types)):
        raise RuntimeError(
            f"{key}: Expected operands of one dtype but got {' and '.join(map(str, types))}"
        )


def _sum(key, given, factors, summands):
    """Σ iⁿ · the call of n imaginary parts and else real ones."""
    totals = [None, None]
    waiting = True
    for choice in itertools.product((0, 1), repeat=len(factors)):
        turns = sum(choice)
        taken = {name: _part(given[name], part) for name, part in zip(factors, choice)}
        for name in summands:
            if turns == 0 or (turns == 1 and waiting):
                taken[name] = _part(given[name], turns)
            else:
                taken[name] = None
        waiting = waiting and turns != 1
        made = call(key, (), {**given, **taken})
        _add(totals, made, turns)
    if not factors:
        other = {name: _part(given[name], 1) for name in summands}
        _add(totals, call(key, (), {**given, **other}), 1)
    return call("complex", tuple(totals), {})


def _add(totals, made, turns):
    at = turns % 2
    made = -made if turns % 4 > 1 else made
    totals[at] = made if totals[at] is None else totals[at] + made


def _is_complex(operand):
    return isinstance(operand, complex) or (hasattr(operand, "dtype") and operand.is_complex())


def _part(operand, part):
    """The real part (0) or the imaginary part (1) of a tensor or number."""
    if operand is None:
        return None
    if hasattr(operand, "dtype"):
        if operand.is_complex():
            return operand.imag if part else operand.real
        return call("zeros_like", (operand,), {}) if part else operand
    if isinstance(operand, bool):
        return 0 if part else operand
    return operand.imag if part else operand.real


RULES = {
    key: _rule(key, params) for key, *params in (line.split() for line in CALLS.split("\n") if line)
}
