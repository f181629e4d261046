"""The first Mamba block (arXiv 2312.00752, section 3.4), with its initial values."""

import math

import torch
from torch import nn
from torch._unsupported import unsupported

from ..ops.selective_scan_interface import mamba_inner_fn
from .block import Block as _Block


class Mamba(nn.Module):
    def __init__(
        self, d_model, d_state=16, d_conv=4, expand=2, dt_rank="auto", dt_min=0.001, dt_max=0.1,
        dt_init="random", dt_scale=1.0, dt_init_floor=1e-4, conv_bias=True, bias=False,
        use_fast_path=True, layer_idx=None, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        placed = {"device": device, "dtype": dtype}
        self.d_model, self.d_state, self.d_conv, self.expand = d_model, d_state, d_conv, expand
        self.d_inner = inner = int(expand * d_model)
        self.dt_rank = math.ceil(d_model / 16) if dt_rank == "auto" else dt_rank
        self.use_fast_path, self.layer_idx = use_fast_path, layer_idx
        self.in_proj = nn.Linear(d_model, inner * 2, bias=bias, **placed)
        self.conv1d = nn.Conv1d(
            *(inner, inner, d_conv), groups=inner, padding=d_conv - 1, bias=conv_bias, **placed
        )
        self.activation, self.act = "silu", nn.SiLU()
        self.x_proj = nn.Linear(inner, self.dt_rank + d_state * 2, bias=False, **placed)
        self.dt_proj = nn.Linear(self.dt_rank, inner, **placed)
        self._reset_steps(dt_init, self.dt_rank**-0.5 * dt_scale, dt_min, dt_max, dt_init_floor)
        rows = torch.arange(1, d_state + 1, dtype=torch.float32, device=device).repeat(inner, 1)
        self.A_log = nn.Parameter(torch.log(rows))
        self.D = nn.Parameter(torch.ones(inner, device=device))
        self.A_log._no_weight_decay = self.D._no_weight_decay = True
        self.out_proj = nn.Linear(inner, d_model, bias=bias, **placed)

    def _reset_steps(self, way, bound, low, high, floor):
        """Step sizes log-uniform in [low, high]: the bias is their inverse softplus."""
        weight, bias = self.dt_proj.weight, self.dt_proj.bias
        if way not in ("constant", "random"):
            raise NotImplementedError
        if way == "constant":
            nn.init.constant_(weight, bound)
        else:
            nn.init.uniform_(weight, -bound, bound)
        drawn = torch.rand(self.d_inner, device=bias.device, dtype=bias.dtype)
        spread = math.log(high) - math.log(low)
        steps = torch.exp(drawn * spread + math.log(low)).clamp(min=floor)
        with torch.no_grad():
            bias.copy_(steps + torch.log(-torch.expm1(-steps)))
        bias._no_reinit = True

    def forward(self, hidden_states, inference_params=None):
        """[B, L, d_model] → [B, L, d_model]."""
        if inference_params is not None:
            raise unsupported("mamba_ssm's Mamba with the states of a generation")
        return mamba_inner_fn(
            *(self.in_proj(hidden_states).transpose(1, 2), self.conv1d.weight, self.conv1d.bias),
            *(self.x_proj.weight, self.dt_proj.weight, self.out_proj.weight, self.out_proj.bias),
            -torch.exp(self.A_log.float()),
            D=self.D.float(),
            delta_bias=self.dt_proj.bias.float(),
        )


class Block(_Block):
    """As versions before 2 have it: without an MLP."""

    def __init__(self, dim, mixer_cls, norm_cls=nn.LayerNorm, *args, **kwargs):
        super().__init__(dim, mixer_cls, nn.Identity, norm_cls, *args, **kwargs)
