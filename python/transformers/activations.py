"""ACT2FN: a new module for the name of an activation."""

import math
from collections import OrderedDict

import torch
from torch import nn


class GELUActivation(nn.Module):
    """x Φ(x)"""

    def __init__(self, use_gelu_python=False):
        super().__init__()
        self.act = self._gelu_python if use_gelu_python else nn.functional.gelu

    def _gelu_python(self, input):
        return input * 0.5 * (1.0 + torch.erf(input / math.sqrt(2.0)))

    def forward(self, input):
        return self.act(input)


class GELUTanh(nn.Module):
    """The approximation by tanh, as one call or written out."""

    def __init__(self, use_gelu_tanh_python=False):
        super().__init__()
        self.act = _gelu_tanh if use_gelu_tanh_python else _fused_gelu_tanh

    def forward(self, input):
        return self.act(input)


def _gelu_tanh(x):
    return (
        0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))
    )


def _fused_gelu_tanh(x):
    return nn.functional.gelu(x, approximate="tanh")


class NewGELUActivation(nn.Module):
    def forward(self, input):
        return _gelu_tanh(input)


class FastGELUActivation(nn.Module):
    def forward(self, input):
        return (
            0.5
            * input
            * (1.0 + torch.tanh(input * 0.7978845608 * (1.0 + 0.044715 * input * input)))
        )


class QuickGELUActivation(nn.Module):
    def forward(self, input):
        return input * torch.sigmoid(1.702 * input)


class ClippedGELUActivation(nn.Module):
    def __init__(self, min, max):
        if min > max:
            raise ValueError(f"min should be < max (got min: {min}, max: {max})")
        super().__init__()
        self.min = min
        self.max = max

    def forward(self, x):
        return torch.clip(nn.functional.gelu(x), self.min, self.max)


class AccurateGELUActivation(nn.Module):
    def __init__(self):
        super().__init__()
        self.precomputed_constant = math.sqrt(2 / math.pi)

    def forward(self, input):
        factor = self.precomputed_constant
        return 0.5 * input * (1 + torch.tanh(factor * (input + 0.044715 * torch.pow(input, 3))))


class SiLUActivation(nn.Module):
    def forward(self, input):
        return nn.functional.silu(input)


class MishActivation(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.functional.mish

    def forward(self, input):
        return self.act(input)


class LinearActivation(nn.Module):
    def forward(self, input):
        return input


class LaplaceActivation(nn.Module):
    """The distribution function of a normal variable."""

    def forward(self, input, mu=0.707107, sigma=0.282095):
        return 0.5 * (1.0 + torch.erf((input - mu).div(sigma * math.sqrt(2.0))))


class ReLUSquaredActivation(nn.Module):
    def forward(self, input):
        return torch.square(nn.functional.relu(input))


class SqrtSoftplusActivation(nn.Module):
    def forward(self, input):
        return nn.functional.softplus(input).sqrt()


class ClassInstantier(OrderedDict):
    """Gives a new object of the class that stands under a name, with the arguments beside it."""

    def __getitem__(self, key):
        content = super().__getitem__(key)
        cls, kwargs = content if isinstance(content, tuple) else (content, {})
        return cls(**kwargs)


ACT2CLS = {
    "gelu": GELUActivation,
    "gelu_10": (ClippedGELUActivation, {"min": -10, "max": 10}),
    "gelu_fast": FastGELUActivation,
    "gelu_new": NewGELUActivation,
    "gelu_python": (GELUActivation, {"use_gelu_python": True}),
    "gelu_pytorch_tanh": GELUTanh,
    "gelu_python_tanh": (GELUTanh, {"use_gelu_tanh_python": True}),
    "gelu_accurate": AccurateGELUActivation,
    "hardswish": nn.Hardswish,
    "laplace": LaplaceActivation,
    "leaky_relu": nn.LeakyReLU,
    "linear": LinearActivation,
    "mish": MishActivation,
    "quick_gelu": QuickGELUActivation,
    "relu": nn.ReLU,
    "relu2": ReLUSquaredActivation,
    "relu6": nn.ReLU6,
    "sigmoid": nn.Sigmoid,
    "silu": SiLUActivation,
    "sqrtsoftplus": SqrtSoftplusActivation,
    "swish": nn.SiLU,
    "tanh": nn.Tanh,
    "prelu": nn.PReLU,
}
ACT2FN = ClassInstantier(ACT2CLS)


def get_activation(activation_string):
    if activation_string in ACT2FN:
        return ACT2FN[activation_string]
    raise KeyError(
        f"function {activation_string} not found in ACT2FN mapping {list(ACT2FN.keys())}"
    )


gelu_python = get_activation("gelu_python")
gelu_new = get_activation("gelu_new")
gelu = get_activation("gelu")
gelu_fast = get_activation("gelu_fast")
gelu_pytorch_tanh = get_activation("gelu_pytorch_tanh")
quick_gelu = get_activation("quick_gelu")
silu = get_activation("silu")
mish = get_activation("mish")
linear_act = get_activation("linear")
