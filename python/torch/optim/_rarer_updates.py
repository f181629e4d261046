"""What NAdam, RAdam, Adamax, Adadelta, ASGD and Rprop make of one parameter and its gradient.

As in _updates: (parameter, gradient, state, settings), in the order of PyTorch's arithmetic.
"""

import math

from .._call import call
from .._factories import tensor
from ._updates import _counted, _rate, _with_decay, _zeros


def _nadam(p, grad, state, s):
    count = _counted(state)
    grad = _decayed(p, grad, s)
    beta1, beta2 = s["betas"]
    mu, mu_next = (
        beta1 * (1.0 - 0.5 * 0.96 ** (n * s["momentum_decay"])) for n in (count, count + 1)
    )
    # Kept in single precision.
    product = state["mu_product"] = tensor(_kept(state, "mu_product", 1.0) * mu)
    mean, square = _moments(state, p, grad, s)
    deviation = square.div(1 - beta2**count).sqrt().add_(s["eps"])
    product = product.item()
    p.addcdiv_(grad, deviation, value=-_rate(s) * (1.0 - mu) / (1.0 - product))
    p.addcdiv_(mean, deviation, value=-_rate(s) * mu_next / (1.0 - product * mu_next))


def _radam(p, grad, state, s):
    """Adam whose rate is rectified by the length of the average, and left out where it is short."""
    count = _counted(state)
    grad = _decayed(p, grad, s)
    beta1, beta2 = s["betas"]
    mean, square = _moments(state, p, grad, s)
    step = (mean / (1 - beta1**count)) * _rate(s)
    corrected = 1 - beta2**count
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * count * beta2**count / corrected
    if length > 5.0:
        rect = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
        step = step * (math.sqrt(corrected) / square.sqrt().add_(s["eps"])) * math.sqrt(rect)
    p.add_(step, alpha=-1.0)


def _adamax(p, grad, state, s):
    count = _counted(state)
    beta1, beta2 = s["betas"]
    grad = _with_decay(grad, p, s)
    mean = _zeros(state, "exp_avg", p).lerp_(grad, 1 - beta1)
    largest = _zeros(state, "exp_inf", p).mul_(beta2)
    largest.copy_(largest.maximum(grad.abs().add_(s["eps"])))
    p.addcdiv_(mean, largest, value=-_rate(s) / (1 - beta1**count))


def _adadelta(p, grad, state, s):
    _counted(state)
    rho, eps = s["rho"], s["eps"]
    grad = _with_decay(grad, p, s)
    square = _zeros(state, "square_avg", p).mul_(rho).addcmul_(grad, grad, value=1 - rho)
    kept = _zeros(state, "acc_delta", p)
    delta = kept.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(grad)
    kept.mul_(rho).addcmul_(delta, delta, value=1 - rho)
    p.add_(delta, alpha=-_rate(s))


def _asgd(p, grad, state, s):
    count = _counted(state)
    grad = _with_decay(grad, p, s)
    # Of the step before, in single precision.
    eta, mu = _kept(state, "eta", _rate(s)), _kept(state, "mu", 1.0)
    p.mul_(1 - s["lambd"] * eta)
    p.add_(grad, alpha=-eta)
    average = _zeros(state, "ax", p)
    if mu == 1:
        average.copy_(p)
    else:
        average.add_(p.sub(average).mul_(mu))
    state["eta"] = tensor(_rate(s) / (1 + s["lambd"] * _rate(s) * count) ** s["alpha"])
    state["mu"] = tensor(1 / max(1, count - s["t0"]))


def _rprop(p, grad, state, s):
    """Steps of a size of their own, which grows while the gradient keeps its sign."""
    _counted(state)
    shrinks, grows = s["etas"]
    before = _zeros(state, "prev", p)
    if "step_size" not in state:
        state["step_size"] = call("full_like", (grad, _rate(s)), {})
    product = grad.mul(before)
    turned = product.lt(0)
    factor = product.sign().masked_fill(product.gt(0), grows)
    factor = factor.masked_fill(turned, shrinks).masked_fill(product.eq(0), 1)
    size = state["step_size"].mul_(factor).clamp_(*s["step_sizes"])
    grad = grad.masked_fill(turned, 0)
    p.addcmul_(grad.sign(), size, value=-1)
    before.copy_(grad)


def _moments(state, p, grad, s):
    """The running mean of the gradient and of its square."""
    beta1, beta2 = s["betas"]
    mean = _zeros(state, "exp_avg", p).lerp_(grad, 1 - beta1)
    return mean, _zeros(state, "exp_avg_sq", p).mul_(beta2).addcmul_(grad, grad, value=1 - beta2)


def _decayed(p, grad, s):
    """The gradient with weight decay, or the parameter decayed by itself."""
    if not s["decoupled_weight_decay"]:
        return _with_decay(grad, p, s)
    if s["weight_decay"] != 0:
        p.mul_(1 - _rate(s) * s["weight_decay"])
    return grad


def _kept(state, key, start):
    """A number of the state as single precision holds it."""
    if key not in state:
        state[key] = tensor(float(start))
    return state[key].item()


RARER_UPDATES = {
    "NAdam": _nadam,
    "RAdam": _radam,
    "Adamax": _adamax,
    "Adadelta": _adadelta,
    "ASGD": _asgd,
    "Rprop": _rprop,
}
