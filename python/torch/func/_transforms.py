"""torch.func's derivatives of functions: grad, vjp, jvp and whole Jacobians."""

import functools

from .. import _grad_mode
from .._call import call
from .._gradients import grad as gradients_of
from .._host import host
from .._tensor import Tensor
from ..utils._pytree import tree_flatten, tree_map, tree_unflatten


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args, **kwargs):
        made, value = both(*args, **kwargs)
        return (made, value[1]) if has_aux else made

    return gradient


def grad_and_value(func, argnums=0, has_aux=False):
    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        args, wanted = _lifted(args, argnums)
        with _grad_mode.enable_grad():
            value = func(*args, **kwargs)
        output = value[0] if has_aux else value
        if not isinstance(output, Tensor) or output.dim() != 0:
            raise RuntimeError(
                "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got "
                + (
                    f"tensor with {output.dim()} dims. Maybe you wanted to use the vjp or jacrev "
                    "APIs instead?"
                    if isinstance(output, Tensor)
                    else "no tensor"
                )
            )
        leaves, spec = tree_flatten(wanted)
        found = _gradients([output], leaves, None)
        return _lowered((tree_unflatten(found, spec), value), leaves)

    return gradient_and_value


def vjp(func, *primals, has_aux=False):
    args, wanted = _lifted(primals, tuple(range(len(primals))))
    with _grad_mode.enable_grad():
        made = func(*args)
    output, aux = made if has_aux else (made, None)
    outputs, _ = tree_flatten(output)
    leaves, spec = tree_flatten(wanted)

    def pull_back(cotangents, retain_graph=True, create_graph=None):
        given, _ = tree_flatten(cotangents)
        return _lowered(tree_unflatten(_gradients(outputs, leaves, given), spec), leaves)

    lowered = _lowered(output, leaves)
    return (lowered, pull_back, aux) if has_aux else (lowered, pull_back)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The gradient of the backward pass by what it begins with is the forward one."""
    for primal, tangent in zip(tree_flatten(primals)[0], tree_flatten(tangents)[0]):
        if primal.shape != tangent.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                f"original Tensor, this is not supported. Tensor is of size {list(primal.shape)} "
                f"while the given forward gradient is of size {list(tangent.shape)}."
            )
    args, wanted = _lifted(primals, tuple(range(len(primals))))
    with _grad_mode.enable_grad():
        made = func(*args)
        output, aux = made if has_aux else (made, None)
        outputs, spec = tree_flatten(output)
        begun = [call("zeros_like", (one,), {}).requires_grad_(True) for one in outputs]
        leaves, _ = tree_flatten(wanted)
        back = _gradients(outputs, leaves, begun, True)
        directions, _ = tree_flatten(tuple(tangents))
        found = _gradients(back, begun, directions)
    lowered = _lowered((output, tree_unflatten(found, spec)), [*leaves, *begun])
    return (*lowered, aux) if has_aux else lowered


def linearize(func, *primals):
    """The value, and the function that maps directions to directional derivatives there."""

    def push_forward(*tangents):
        return tree_map(lambda one: one.detach(), jvp(func, primals, tangents)[1])

    return func(*primals), push_forward


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    @functools.wraps(func)
    def jacobian(*args, **kwargs):
        args, wanted = _lifted(args, argnums)
        with _grad_mode.enable_grad():
            made = func(*args, **kwargs)
        output, aux = made if has_aux else (made, None)
        leaves, spec = tree_flatten(wanted)
        found = tree_map(lambda one: tree_unflatten(_rows(one, leaves), spec), output)
        found, aux = _lowered((found, aux), leaves)
        return (found, aux) if has_aux else found

    return jacobian


def jacfwd(func, argnums=0, has_aux=False, *, chunk_size=None, randomness="error"):
    return jacrev(func, argnums, has_aux=has_aux)


def hessian(func, argnums=0):
    return jacrev(jacrev(func, argnums), argnums)


def _rows(output, leaves):
    """For each leaf its derivatives by every element: of the shapes of output and leaf together."""
    with _grad_mode.enable_grad():
        elements = output.reshape(-1).unbind()
    rows = [_gradients([element], leaves, None) for element in elements]
    return [
        call("stack", (list(parts),), {}).reshape(*output.shape, *leaf.shape)
        for parts, leaf in zip(zip(*rows), leaves)
    ]


def _lifted(args, argnums):
    """The arguments, with those of `argnums` as values of their own; and these alone."""
    args = list(args)
    for i in [argnums] if isinstance(argnums, int) else argnums:
        args[i] = tree_map(_own, args[i])
    wanted = args[argnums] if isinstance(argnums, int) else tuple(args[i] for i in argnums)
    return args, wanted


def _own(value):
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return value
    if value.requires_grad and _grad_mode.is_grad_enabled():
        return value.view_as(value)
    return value.detach().requires_grad_(True)


def _lowered(made, leaves):
    """What a transform gives: of its own leaves alone it is a constant to the code around it."""
    flat, spec = tree_flatten(made)
    tracked = [one for one in flat if isinstance(one, Tensor) and one.requires_grad]
    if not tracked:
        return made
    own = [leaf for leaf in leaves if leaf.is_leaf]
    if _grad_mode.is_grad_enabled():
        rest = host.rest_on_others(_ids(tracked), _ids(own)).split(",")
        tracked = [one for one, mark in zip(tracked, rest) if mark == "0"]
    cut = {id(one) for one in tracked}
    return tree_unflatten([one.detach() if id(one) in cut else one for one in flat], spec)


def _ids(tensors):
    return ",".join(str(one._id) for one in tensors)


def _gradients(outputs, leaves, given, creates_graph=None):
    creates = _grad_mode.is_grad_enabled() if creates_graph is None else creates_graph
    if not any(output.requires_grad for output in outputs):
        return [call("zeros_like", (leaf,), {}) for leaf in leaves]
    return list(
        gradients_of(
            outputs, leaves, given, retain_graph=True, create_graph=creates, materialize_grads=True
        )
    )
