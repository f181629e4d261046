"""Functions of layers that few models use, and older names of others."""

import math

from ..._call import call, composite

__all__ = [
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d_with_indices",
    "alpha_dropout",
    "conv_tbc",
    "feature_alpha_dropout",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "pdist",
    "rrelu",
    "rrelu_",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]

# Dropped elements take −this, what SELU makes of −∞, so that mean and variance stay.
_SATURATED = 1.7580993408473766


def _alpha_dropped(input, p, noise_shape):
    if p == 0 or input.numel() == 0:
        return input
    if p == 1:
        return input * 0
    a = 1.0 / math.sqrt((_SATURATED * _SATURATED * p + 1) * (1 - p))
    kept = input.new_empty(noise_shape).bernoulli_(1 - p)
    shift = (kept - 1) * (_SATURATED * a) + _SATURATED * a * p
    return input * (kept * a) + shift


@composite("alpha_dropout")
def alpha_dropout(input, p=0.5, training=False, inplace=False):
    _check_probability(p)
    made = _alpha_dropped(input, p, input.shape) if training else input
    return input.copy_(made) if inplace and training else made


@composite("feature_alpha_dropout")
def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    _check_probability(p)
    noise_shape = [*input.shape[:2], *([1] * (input.dim() - 2))]
    made = _alpha_dropped(input, p, noise_shape) if training else input
    return input.copy_(made) if inplace and training else made


def fractional_max_pool2d(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
):
    pooled = fractional_max_pool2d_with_indices if return_indices else _fractional_max
    return pooled(input, kernel_size, output_size, output_ratio, _random_samples=_random_samples)


@composite("fractional_max_pool2d")
def _fractional_max(input, kernel_size, output_size, output_ratio, _random_samples):
    return _fractional(input, kernel_size, output_size, output_ratio, _random_samples)[0]


@composite("fractional_max_pool2d_with_indices")
def fractional_max_pool2d_with_indices(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
):
    return _fractional(input, kernel_size, output_size, output_ratio, _random_samples)


def _fractional(input, kernel_size, output_size, output_ratio, samples):
    """Graham's pooling: windows at places that the samples pick, each channel its own."""
    if output_size is None and output_ratio is None:
        raise ValueError(
            "fractional_max_pool2d requires specifying either an output_size or an output_ratio"
        )
    x = input if input.dim() == 4 else input.unsqueeze(0)
    batch, channels, height, width = x.shape
    kernel = _pair(kernel_size)
    if output_size is None:
        ratios = _pair(output_ratio)
        output_size = (int(height * ratios[0]), int(width * ratios[1]))
    wanted = _pair(output_size)
    if samples is None:
        samples = call("rand", (batch, channels, 2), {"dtype": input.dtype})
    places = [
        [
            row * width + column
            for top in _starts(down, height, wanted[0], kernel[0])
            for left in _starts(across, width, wanted[1], kernel[1])
            for row in range(top, top + kernel[0])
            for column in range(left, left + kernel[1])
        ]
        for across, down in samples.reshape(-1, 2).tolist()
    ]
    size = kernel[0] * kernel[1]
    index = _whole(places).view(batch, channels, -1)
    windows = x.flatten(2).gather(2, index).unflatten(2, (-1, size))
    best = windows.max(-1)
    picked = index.unflatten(2, (-1, size)).gather(3, best.indices.unsqueeze(-1)).squeeze(-1)
    shape = (batch, channels, *wanted) if input.dim() == 4 else (channels, *wanted)
    return best.values.reshape(shape), picked.reshape(shape)


def _whole(numbers):
    from ... import tensor

    return tensor(numbers)


def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def _starts(sample, size, wanted, kernel):
    """Where each window begins; the last ends with the input."""
    last = size - kernel
    step = last / (wanted - 1) if wanted > 1 else 0
    return [*(int((i + sample) * step) - int(sample * step) for i in range(wanted - 1)), last]


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@composite("rrelu")
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if training:
        slopes = call("_rrelu_noise", (input, lower, upper), {})
        made = call("where", (input <= 0, input * slopes, input), {})
        if inplace:
            return call("keeping_result", (input.copy_(made),), {})
        return call("keeping", (made, [input]), {})
    return call("leaky_relu", (input, (lower + upper) / 2, inplace), {})


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    return rrelu(input, lower, upper, training, inplace=True)


def _lp_pool(axes):
    name = f"lp_pool{axes}d"

    @composite(name)
    def function(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        """(Σ xᵖ)^(1/p) over each window."""
        if axes == 1 and not isinstance(kernel_size, int):
            raise TypeError(
                "mul(): argument 'other' (position 1) must be Tensor, not "
                + type(kernel_size).__name__
            )
        sizes = _spread(kernel_size, axes)
        if len(sizes) < axes:
            raise ValueError(f"not enough values to unpack (expected {axes}, got {len(sizes)})")
        powers = input.pow(norm_type)
        mean = call(f"avg_pool{axes}d", (powers, kernel_size, stride, 0, ceil_mode), {})
        sums = mean.sign() * mean.abs().relu() * math.prod(sizes)
        return sums.pow(1.0 / norm_type)

    function.__name__ = function.__qualname__ = name
    return function


lp_pool1d, lp_pool2d, lp_pool3d = (_lp_pool(axes) for axes in (1, 2, 3))


def _spread(value, axes):
    return (value,) * axes if isinstance(value, int) else tuple(value)


_no_rows = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans "
    "across two contiguous subspaces). Use .reshape(...) instead."
)


def _are_rows(tensor, axes):
    """Whether the last axes can be seen as one."""
    sizes, strides = tensor.shape[-axes:], tensor.stride()[-axes:]
    kept = [(size, stride) for size, stride in zip(sizes, strides) if size != 1]
    return all(a[1] == b[0] * b[1] for a, b in zip(kept, kept[1:]))


def _max_unpool(axes):
    name = f"max_unpool{axes}d"

    @composite(name)
    def function(input, indices, kernel_size, stride=None, padding=0, output_size=None):
        """Every maximum at the place that it came from, zeros elsewhere."""
        if not input.is_floating_point():
            raise NotImplementedError(
                f'"max_unpool{max(axes, 2)}d" not implemented for {input.type()}'
            )
        kernel, pad = _spread(kernel_size, axes), _spread(padding, axes)
        step = kernel if stride is None else _spread(stride, axes)
        sizes = [
            (n - 1) * s - 2 * p + k for n, s, p, k in zip(input.shape[-axes:], step, pad, kernel)
        ]
        if output_size is not None:
            sizes = list(output_size)[-axes:]
        outer = input.shape[:-axes]
        zeros = input.new_zeros(*outer, math.prod(sizes))
        filled = zeros.scatter(-1, indices.flatten(-axes), input.flatten(-axes))
        made = filled.reshape(*outer, *sizes)
        if axes > 1:
            made = made.clone()
        # PyTorch's backward pass takes the places of one map as a row, without a copy.
        return made if _are_rows(indices, axes) else call("refusing_backward", (made, _no_rows), {})

    function.__name__ = function.__qualname__ = name
    return function


max_unpool1d, max_unpool2d, max_unpool3d = (_max_unpool(axes) for axes in (1, 2, 3))


def _with_indices(axes):
    name = f"adaptive_max_pool{axes}d_with_indices"

    def function(input, output_size, return_indices=False):
        key = f"adaptive_max_pool{axes}d:{name}"
        return call(key, (input, output_size), {"return_indices": True})

    function.__name__ = function.__qualname__ = name
    return function


(
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d_with_indices,
) = (_with_indices(axes) for axes in (1, 2, 3))


@composite("pdist")
def pdist(input, p=2.0):
    """Distances between all pairs of rows, each once."""
    rows = input.shape[0]
    first = [i for i in range(rows) for _ in range(i + 1, rows)]
    second = [j for i in range(rows) for j in range(i + 1, rows)]
    options = {"p": p, "eps": 0.0}
    made = call("pairwise_distance", (input[first], input[second]), options)
    return call("keeping_result", (call("keeping", (made, [input.contiguous()]), {}),), {})


@composite("conv_tbc")
def conv_tbc(input, weight, bias, pad=0):
    """A convolution over [time, batch, channels] with weight [kernel, in, out]."""
    turned = input.permute(1, 2, 0)
    made = call("conv1d", (turned, weight.permute(2, 1, 0), bias), {"padding": pad})
    return made.permute(2, 0, 1)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return call("interpolate", (input, size, scale_factor, mode, align_corners), {})


def upsample_nearest(input, size=None, scale_factor=None):
    return upsample(input, size, scale_factor, "nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    return upsample(input, size, scale_factor, "bilinear", True)
