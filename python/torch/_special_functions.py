"""Special functions in Python of others: of the gamma family, in double precision."""

import math

from ._call import call, composite
from ._dtypes import cpp_name, float64
from ._factories import get_default_dtype
from ._functions import broadcast_tensors, result_type
from ._tensor import Tensor

# What torch.special, torch and Tensor have.
SPECIAL = "gammainc gammaincc multigammaln".split()
FUNCTIONS = "igamma igammac mvlgamma".split()
METHODS = "igamma igamma_ igammac igammac_ mvlgamma mvlgamma_".split()


def _wide(*operands):
    """The operands in double precision, and the type of the result."""
    joined = result_type(*operands)
    zero = call("zeros", ((),), {"dtype": float64})
    wide = [(one.to(float64) if isinstance(one, Tensor) else zero + one) for one in operands]
    return wide, joined if joined.is_floating_point else get_default_dtype()


def _refusing(made, source, name):
    """`made`, through which no gradient reaches the tensor `source`."""
    message = f"the derivative for '{name}' is not implemented."
    return call("refusing_backward", (made, message, [source], True), {})


def _keeping_both(made, input, other):
    """`made`, of which the gradient by `other` needs both unedited."""
    if not isinstance(other, Tensor) or not other.requires_grad:
        return made
    return call("keeping", (made, [one for one in (input, other) if isinstance(one, Tensor)]), {})


@composite("mvlgamma")
def mvlgamma(input, p):
    """ln Γₚ(x) = p(p − 1)/4 · ln π + Σ ln Γ(x − j/2)"""
    if type(p) is not int:
        raise TypeError(
            f"mvlgamma(): argument 'p' (position 2) must be int, not {type(p).__name__}"
        )
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    constant = p * (p - 1) / 4 * math.log(math.pi)
    made = constant + sum((input - j / 2).lgamma() for j in range(p))
    return call("keeping", (made, [input]), {})


multigammaln = mvlgamma


def _lower_share(a, x):
    """P(a, x) of two numbers. https://dlmf.nist.gov/8.11.E4, https://dlmf.nist.gov/8.9.E2"""
    if a < 0 or x < 0:
        return math.nan
    if a == 0:
        return 1.0 if x > 0 else math.nan
    if x == 0:
        return 0.0
    if a == math.inf:
        return math.nan if x == math.inf else 0.0
    if x == math.inf:
        return 1.0
    if math.isnan(a) or math.isnan(x):
        return math.nan
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        k = a
        while abs(term) > abs(total) * 1e-17:
            k += 1
            term *= x / k
            total += term
        return front * total
    return 1.0 - front * _continued(a, x)


def _continued(a, x):
    """Lentz's way of 1/(x+1−a− 1(1−a)/(x+3−a− …))."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 500):
        an = -i * (i - a)
        b += 2
        d = an * d + b
        c = b + an / c
        d = 1 / (d if abs(d) > tiny else tiny)
        c = c if abs(c) > tiny else tiny
        h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return h


def _incomplete(name, is_upper):
    @composite(name)
    def function(input, other):
        joined = result_type(input, other)
        if not joined.is_floating_point:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{cpp_name(joined)}'")
        (a, x), dtype = _wide(input, other)
        a, x = broadcast_tensors(a, x)
        pairs = zip(a.reshape(-1).tolist(), x.detach().reshape(-1).tolist())
        shares = [_lower_share(*pair) for pair in pairs]
        found = x.new_tensor([1 - p if is_upper else p for p in shares]).reshape(a.shape)
        if x.requires_grad:
            order, at = a.detach(), x.detach()
            slope = (-at + (order - 1) * at.log() - order.lgamma()).exp()
            found = call("sloped", (found, [x], [-slope if is_upper else slope]), {})
        made = _keeping_both(found.to(dtype), input, other)
        return _refusing(made, input, f"{name}: input")

    function.__name__ = function.__qualname__ = name
    return function


igamma, igammac = _incomplete("igamma", False), _incomplete("igammac", True)
gammainc, gammaincc = igamma, igammac


def _in_place(function):
    def edit(self, *args):
        if not (self.is_floating_point() or self.is_complex()):
            raise RuntimeError(
                f"result type Float can't be cast to the desired output type {self.dtype}"
            )
        # Of what it edits PyTorch keeps a copy.
        return self.copy_(function(self.clone(), *args))

    edit.__name__ = function.__name__ + "_"
    return composite(edit.__name__)(edit)


igamma_, igammac_, mvlgamma_ = _in_place(igamma), _in_place(igammac), _in_place(mvlgamma)


def expose(namespace, tensor_class):
    """Adds them to torch's names and to the methods of Tensor."""
    for name in FUNCTIONS:
        namespace.setdefault(name, globals()[name])
    for name in METHODS:
        setattr(tensor_class, name, globals()[name])
