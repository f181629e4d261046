"""What an optimizer makes of one parameter and its gradient, in the order of PyTorch's arithmetic.

Each function: (parameter, gradient, state, settings). Formulas are those of PyTorch's documentation.
"""

import math

from .._call import call
from .._factories import tensor


def _sgd(p, grad, state, s):
    grad = _with_decay(grad, p, s)
    if s["momentum"] != 0:
        kept = state.get("momentum_buffer")
        if kept is None:
            kept = state["momentum_buffer"] = grad.clone()
        else:
            kept.mul_(s["momentum"]).add_(grad, alpha=1 - s["dampening"])
        grad = grad.add(kept, alpha=s["momentum"]) if s["nesterov"] else kept
    p.add_(grad, alpha=-_rate(s))


def _adam(p, grad, state, s):
    count = _counted(state)
    beta1, beta2 = s["betas"]
    if s["decoupled_weight_decay"]:
        if s["weight_decay"] != 0:
            p.mul_(1 - _rate(s) * s["weight_decay"])
    else:
        grad = _with_decay(grad, p, s)
    mean = _zeros(state, "exp_avg", p).lerp_(grad, 1 - beta1)
    square = _zeros(state, "exp_avg_sq", p).mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    if s["amsgrad"]:
        largest = _zeros(state, "max_exp_avg_sq", p)
        square = largest.copy_(largest.maximum(square))
    deviation = (square.sqrt() / math.sqrt(1 - beta2**count)).add_(s["eps"])
    p.addcdiv_(mean, deviation, value=-_rate(s) / (1 - beta1**count))


def _rmsprop(p, grad, state, s):
    _counted(state)
    alpha = s["alpha"]
    grad = _with_decay(grad, p, s)
    square = _zeros(state, "square_avg", p).mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    if s["centered"]:
        mean = _zeros(state, "grad_avg", p).lerp_(grad, 1 - alpha)
        deviation = square.addcmul(mean, mean, value=-1).sqrt_()
    else:
        deviation = square.sqrt()
    deviation.add_(s["eps"])
    if s["momentum"] > 0:
        kept = _zeros(state, "momentum_buffer", p).mul_(s["momentum"]).addcdiv_(grad, deviation)
        p.add_(kept, alpha=-_rate(s))
    else:
        p.addcdiv_(grad, deviation, value=-_rate(s))


def _adagrad(p, grad, state, s):
    count = _counted(state)
    grad = _with_decay(grad, p, s)
    if "sum" not in state:
        start = s["initial_accumulator_value"]
        state["sum"] = call("full_like", (p, start), {})
    state["sum"].addcmul_(grad, grad, value=1)
    rate = _rate(s) / (1 + (count - 1) * s["lr_decay"])
    p.addcdiv_(grad, state["sum"].sqrt().add_(s["eps"]), value=-rate)


def _with_decay(grad, p, s):
    return grad.add(p, alpha=s["weight_decay"]) if s["weight_decay"] != 0 else grad


def _counted(state):
    count = int(state["step"]) + 1 if "step" in state else 1
    state["step"] = tensor(float(count))
    return count


def _zeros(state, key, p):
    if key not in state:
        state[key] = call("zeros_like", (p,), {})
    return state[key]


def _rate(settings):
    return float(settings["lr"])


UPDATES = {"SGD": _sgd, "Adam": _adam, "AdamW": _adam, "RMSprop": _rmsprop, "Adagrad": _adagrad}
