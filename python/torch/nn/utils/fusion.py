"""torch.nn.utils.fusion: a batch norm that measures nothing any more, taken into the layer before it."""

import copy

from ..parameter import Parameter

__all__ = [
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
]


def _scale(bn_rv, bn_eps, bn_w):
    scale = (bn_rv + bn_eps).rsqrt()
    return scale if bn_w is None else bn_w * scale


def _fused(weight, bias, bn_rm, bn_b, scale, shape):
    """W · s, and (b − mean) · s + shift."""
    bias = bn_rm.new_zeros(bn_rm.shape) if bias is None else bias
    shifted = (bias - bn_rm) * scale
    shifted = shifted if bn_b is None else shifted + bn_b
    fused = (weight * scale.reshape(shape)).to(weight.dtype)
    return (
        Parameter(fused, weight.requires_grad),
        Parameter(shifted.to(weight.dtype), bias.requires_grad),
    )


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    return _fused(conv_w, conv_b, bn_rm, bn_b, _scale(bn_rv, bn_eps, bn_w), shape)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _fused(linear_w, linear_b, bn_rm, bn_b, _scale(bn_rv, bn_eps, bn_w), [-1, 1])


def _of(module, bn, make, *options):
    if module.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = copy.deepcopy(module)
    numbers = (bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    fused.weight, fused.bias = make(fused.weight, fused.bias, *numbers, *options)
    return fused


def fuse_conv_bn_eval(conv, bn, transpose=False):
    return _of(conv, bn, fuse_conv_bn_weights, transpose)


def fuse_linear_bn_eval(linear, bn):
    return _of(linear, bn, fuse_linear_bn_weights)
