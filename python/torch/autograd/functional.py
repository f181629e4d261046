"""torch.autograd.functional: products with Jacobians, and these whole, of functions of tensors."""

from .._call import call
from .._tensor import Tensor
from .._unsupported import missing as _missing
from ..func import _transforms


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    outputs, pull_back = _transforms.vjp(func, *_tuple(inputs))
    if v is None and not _is_one_number(outputs):
        raise RuntimeError(
            "The vector v can only be None if the user-provided function returns a single Tensor "
            "with a single element."
        )
    given = call("ones_like", (outputs,), {}) if v is None else v
    found = pull_back(given)
    return _kept(create_graph, outputs, found if isinstance(inputs, tuple) else found[0])


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    primals = _tuple(inputs)
    given = _directions(primals, v)
    return _kept(create_graph, *_transforms.jvp(func, primals, tuple(given)))


def jacobian(
    func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"
):
    which = tuple(range(len(inputs))) if isinstance(inputs, tuple) else 0
    return _kept(create_graph, _transforms.jacrev(func, which)(*_tuple(inputs)))[0]


def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
):
    which = tuple(range(len(inputs))) if isinstance(inputs, tuple) else 0
    return _kept(create_graph, _transforms.hessian(func, which)(*_tuple(inputs)))[0]


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The value, and H · v for the Hessian H, which is v · H too."""
    primals = _tuple(inputs)
    given = _directions(primals, v)
    value = func(*primals)

    def gradient(*points):
        found, pull_back = _transforms.vjp(func, *points)
        return pull_back(call("ones_like", (found,), {}))

    _, pull_back = _transforms.vjp(gradient, *primals)
    products = pull_back(given)
    return _kept(create_graph, value, products if isinstance(inputs, tuple) else products[0])


vhp = hvp


def _directions(primals, v):
    """`v`, which stands for 1 where there is one number to go along."""
    if v is not None:
        return _tuple(v)
    if len(primals) != 1 or not _is_one_number(primals[0]):
        raise RuntimeError(
            "The vector v can only be None if the input to the user-provided function is a single "
            "Tensor with a single element."
        )
    return tuple(call("ones_like", (x,), {}) for x in primals)


def _is_one_number(value):
    return isinstance(value, Tensor) and value.numel() == 1


def _tuple(inputs):
    return inputs if isinstance(inputs, tuple) else (inputs,)


def _kept(create_graph, *results):
    def cut(value):
        return value.detach() if isinstance(value, Tensor) else value

    return results if create_graph else tuple(_transforms.tree_map(cut, one) for one in results)


def __getattr__(name):
    raise _missing("torch.autograd.functional", name, globals())
