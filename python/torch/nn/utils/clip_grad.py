"""Clipping of gradients. Gradients are computed after the step: there is nothing to clip within it."""

import math

from ..._call import call
from ..._factories import tensor
from ..._tensor import Tensor

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not tensors:
        return tensor(0.0)
    flat = call("cat", ([t.reshape(-1).abs() for t in tensors],), {})
    if float(norm_type) == math.inf:
        return flat.max()
    return flat.pow(float(norm_type)).sum().pow(1.0 / float(norm_type))


def _gradients(parameters):
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad for p in parameters if p.grad is not None]


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    grads = _gradients(parameters)
    total = get_total_norm(grads, float(norm_type))
    _scale(grads, max_norm, total)
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    _scale(_gradients(parameters), max_norm, total_norm)


def _scale(grads, max_norm, total):
    share = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(share)


clip_grad_norm = clip_grad_norm_


def clip_grad_value_(parameters, clip_value, foreach=None):
    for grad in _gradients(parameters):
        grad.clamp_(min=-clip_value, max=clip_value)
