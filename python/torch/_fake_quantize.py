"""Numbers as an integer format would hold them, with the gradient of a bounded identity."""

from ._call import call, composite
from ._dtypes import cpp_name, float16, float32, int32
from ._tensor import Tensor
from .autograd.function import Function


class _FakeQuantize(Function):
    """x / scale + zero_point as an integer within quant_min and quant_max, back on the scale of x.

    What is rounded is x / scale, or the sum where zero_point is a float.
    """

    @staticmethod
    def forward(ctx, input, scale, zero_point, quant_min, quant_max):
        scaled = input * scale.reciprocal()
        if isinstance(zero_point, Tensor) and zero_point.is_floating_point():
            place = (scaled + zero_point).round()
        else:
            place = scaled.round() + zero_point
        ctx.save_for_backward((place >= quant_min) & (place <= quant_max))
        return ((place.clamp(quant_min, quant_max) - zero_point) * scale).to(input.dtype)

    @staticmethod
    def backward(ctx, gradient):
        (is_within,) = ctx.saved_tensors
        return gradient * is_within, None, None, None, None


@composite("fake_quantize_per_tensor_affine")
def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    _check_bounds(quant_min, quant_max)
    if not isinstance(zero_point, Tensor):
        _check_zero(quant_min <= zero_point <= quant_max)
    if not isinstance(scale, Tensor):
        scale = call("full", ((), scale), {"dtype": float32})
    return _FakeQuantize.apply(input, scale, zero_point, quant_min, quant_max)


@composite("fake_quantize_per_channel_affine")
def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    _check_bounds(quant_min, quant_max)
    if scale.dim() != 1:
        raise RuntimeError("scale should be a 1-D tensor")
    if zero_point.dim() != 1:
        raise RuntimeError("zero point should be a 1-D tensor")
    if scale.numel() != zero_point.numel():
        raise RuntimeError("scale and zero-point need to have the same dimensions")
    if scale.numel() != input.size(axis):
        raise RuntimeError(
            "dimensions of scale and zero-point are not consistent with input tensor"
        )
    if zero_point.dtype not in (int32, float32, float16):
        found = cpp_name(zero_point.dtype)
        raise RuntimeError(f"Zero-point must be Int32, Float or Half, found {found}")
    if not zero_point.is_floating_point():
        _check_zero(bool(((zero_point >= quant_min) & (zero_point <= quant_max)).all()))
    if axis < 0:
        raise RuntimeError("`axis` must be between 0 and number of dimensions of input")
    shape = [-1 if at == axis else 1 for at in range(input.dim())]
    channels = scale.view(shape), zero_point.view(shape)
    return _FakeQuantize.apply(input, *channels, quant_min, quant_max)


def _check_bounds(quant_min, quant_max):
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or         equal to `quant_max`.")


def _check_zero(is_within):
    if not is_within:
        raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")
