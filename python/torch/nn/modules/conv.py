"""Convolutions and transposed convolutions over one to three axes."""

import math

from ..._call import call
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module
from .utils import _pair, _reverse_repeat_tuple, _single, _triple

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
]

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """weight [out, in / groups, *kernel], transposed [in, out / groups, *kernel]."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(
                    f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
                )
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {set(_PADDING_MODES)}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._padding_on_both_sides()
        sizes = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        sizes = (sizes[0], sizes[1] // groups, *kernel_size)
        self.weight = Parameter(call("empty", (sizes,), {"dtype": dtype, "device": device}))
        if bias:
            self.bias = Parameter(
                call("empty", ((out_channels,),), {"dtype": dtype, "device": device})
            )
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _padding_on_both_sides(self):
        if not isinstance(self.padding, str):
            return _reverse_repeat_tuple(self.padding, 2)
        amounts = []
        for size, dilation in zip(reversed(self.kernel_size), reversed(self.dilation)):
            total = dilation * (size - 1) if self.padding == "same" else 0
            amounts += [total // 2, total - total // 2]
        return amounts

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input, weight, bias):
        function = getattr(F, f"conv{len(self.kernel_size)}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * len(self.kernel_size)
        return function(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self):
        n = len(self.kernel_size)
        parts = [
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        ]
        if self.padding != (0,) * n:
            parts.append(f"padding={self.padding}")
        if self.dilation != (1,) * n:
            parts.append(f"dilation={self.dilation}")
        if self.output_padding != (0,) * n:
            parts.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)


def _convolution(n, spread):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        padding = padding if isinstance(padding, str) else spread(padding)
        _ConvNd.__init__(
            self,
            in_channels,
            out_channels,
            spread(kernel_size),
            spread(stride),
            padding,
            spread(dilation),
            False,
            (0,) * n,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    return __init__


class Conv1d(_ConvNd):
    __init__ = _convolution(1, _single)


class Conv2d(_ConvNd):
    __init__ = _convolution(2, _pair)


class Conv3d(_ConvNd):
    __init__ = _convolution(3, _triple)


class _ConvTransposeNd(_ConvNd):
    def _output_padding(self, input, output_size):
        """What must be added at the end so that the result has `output_size`."""
        n = len(self.kernel_size)
        if output_size is None:
            return self.output_padding
        wanted = list(output_size)[-n:]
        smallest = [
            (input.size(axis - n) - 1) * self.stride[axis]
            - 2 * self.padding[axis]
            + self.dilation[axis] * (self.kernel_size[axis] - 1)
            + 1
            for axis in range(n)
        ]
        largest = [size + stride - 1 for size, stride in zip(smallest, self.stride)]
        if not all(low <= size <= high for low, size, high in zip(smallest, wanted, largest)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {smallest} to "
                f"{largest} "
                f"(for an input of {list(input.shape[2:])})"
            )
        return tuple(size - low for size, low in zip(wanted, smallest))

    def forward(self, input, output_size=None):
        if self.padding_mode != "zeros":
            name = type(self).__name__
            raise ValueError(f"Only `zeros` padding mode is supported for {name}")
        function = getattr(F, f"conv_transpose{len(self.kernel_size)}d")
        return function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self._output_padding(input, output_size),
            self.groups,
            self.dilation,
        )


def _transposed(spread):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        _ConvNd.__init__(
            self,
            in_channels,
            out_channels,
            spread(kernel_size),
            spread(stride),
            spread(padding),
            spread(dilation),
            True,
            spread(output_padding),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    return __init__


class ConvTranspose1d(_ConvTransposeNd):
    __init__ = _transposed(_single)


class ConvTranspose2d(_ConvTransposeNd):
    __init__ = _transposed(_pair)


class ConvTranspose3d(_ConvTransposeNd):
    __init__ = _transposed(_triple)


class _LazyConv(LazyModuleMixin):
    """A convolution whose in_channels the first input decides."""

    def __init__(
        self, out_channels, kernel_size, *args, bias=True, device=None, dtype=None, **kwargs
    ):
        super().__init__(0, 0, kernel_size, *args, bias=False, device=device, dtype=dtype, **kwargs)
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        n = len(self.kernel_size)
        self.in_channels = input.shape[-n - 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        sizes = [self.out_channels, self.in_channels]
        if self.transposed:
            sizes.reverse()
        self.weight.materialize((sizes[0], sizes[1] // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class LazyConv1d(_LazyConv, Conv1d):
    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    cls_to_become = ConvTranspose3d
