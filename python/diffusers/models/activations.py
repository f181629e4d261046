"""Activations, and linear layers that end in one."""

import torch
import torch.nn.functional as F
from torch import nn

ACT2CLS = {"swish": nn.SiLU, "silu": nn.SiLU, "mish": nn.Mish, "gelu": nn.GELU, "relu": nn.ReLU}


def get_activation(act_fn):
    name = act_fn.lower()
    if name not in ACT2CLS:
        raise ValueError(
            f"activation function {name} not found in ACT2FN mapping {list(ACT2CLS.keys())}"
        )
    return ACT2CLS[name]()


class FP32SiLU(nn.Module):
    def forward(self, inputs):
        return F.silu(inputs.float()).to(inputs.dtype)


class GELU(nn.Module):
    """gelu(W x)"""

    def __init__(self, dim_in, dim_out, approximate="none", bias=True):
        super().__init__()
        self.proj = nn.Linear(dim_in, dim_out, bias=bias)
        self.approximate = approximate

    def gelu(self, gate):
        return F.gelu(gate, approximate=self.approximate)

    def forward(self, hidden_states):
        return self.gelu(self.proj(hidden_states))


class GEGLU(nn.Module):
    """U x · gelu(V x), U and V one matrix."""

    def __init__(self, dim_in, dim_out, bias=True):
        super().__init__()
        self.proj = nn.Linear(dim_in, dim_out * 2, bias=bias)

    def gelu(self, gate):
        return F.gelu(gate)

    def forward(self, hidden_states, *args, **kwargs):
        value, gate = self.proj(hidden_states).chunk(2, dim=-1)
        return value * self.gelu(gate)


class SwiGLU(nn.Module):
    """U x · silu(V x), U and V one matrix."""

    def __init__(self, dim_in, dim_out, bias=True):
        super().__init__()
        self.proj = nn.Linear(dim_in, dim_out * 2, bias=bias)
        self.activation = nn.SiLU()

    def forward(self, hidden_states):
        value, gate = self.proj(hidden_states).chunk(2, dim=-1)
        return value * self.activation(gate)


class ApproximateGELU(nn.Module):
    """y · sigmoid(1.702 y), y = W x (arXiv:1606.08415, section 2)"""

    def __init__(self, dim_in, dim_out, bias=True):
        super().__init__()
        self.proj = nn.Linear(dim_in, dim_out, bias=bias)

    def forward(self, x):
        x = self.proj(x)
        return x * torch.sigmoid(1.702 * x)


class LinearActivation(nn.Module):
    def __init__(self, dim_in, dim_out, bias=True, activation="silu"):
        super().__init__()
        self.proj = nn.Linear(dim_in, dim_out, bias=bias)
        self.activation = get_activation(activation)

    def forward(self, hidden_states):
        return self.activation(self.proj(hidden_states))
