"""Norms by the names of PyTorch's own kernels, which give the moments too."""

from ._call import call, composite, part_of
from ._dtypes import float32, float64


@composite("native_batch_norm")
def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    """And each channel's mean and 1 / √(variance + eps), of which there are none out of training."""
    parameters = (x for x in (weight, bias, running_mean, running_var) if x is not None)
    held = next(parameters, input).dtype
    moments = [call("empty", ((0,),), {"dtype": held}) for _ in range(2)]
    if training:
        axes = [axis for axis in range(input.dim()) if axis != 1]
        x = input.detach().to(float64 if input.dtype == float64 else float32)
        spread = x.var(axes, correction=0)
        moments = [x.mean(axes).to(held), (spread + eps).rsqrt().to(held)]
    scale = (weight, bias, training, momentum, eps)
    made = call("batch_norm", (input, running_mean, running_var, *scale), {})
    kept = [input, *(x for x in (weight,) if x is not None), *moments]
    return call("keeping", (made, kept), {}), *moments


@composite("native_layer_norm")
def native_layer_norm(input, normalized_shape, weight, bias, eps):
    axes = list(range(-len(normalized_shape), 0))
    mean = input.mean(axes, keepdim=True)
    spread = ((input - mean) ** 2).mean(axes, keepdim=True)
    made = call("layer_norm", (input, normalized_shape, weight, bias, eps), {})
    found = [mean.detach(), (spread + eps).rsqrt().detach()]
    kept = [input, *(x for x in (weight, bias) if x is not None), *found]
    return call("keeping", (made, kept), {}), *found


@composite("native_group_norm")
def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    parts = input.reshape(N, group, C // group * HxW)
    mean = parts.mean(-1)
    spread = ((parts - mean.unsqueeze(-1)) ** 2).mean(-1)
    made = call("group_norm", (input, group, weight, bias, eps), {})
    none = sum(part_of(x) for x in (weight, bias) if x is not None)
    found = [mean + none, (spread + eps).rsqrt() + none]
    # Results are kept whatever becomes of their history.
    kept = [input, *(x for x in (weight,) if x is not None), *(x.detach() for x in found)]
    return call("keeping", (made, kept), {}), *found
