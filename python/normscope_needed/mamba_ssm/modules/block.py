"""A mixer behind a norm, with the residual beside the hidden states: add, norm, mix."""

import torch
from torch import nn

from ..ops.triton.layer_norm import RMSNorm, layer_norm_fn


class Block(nn.Module):
    def __init__(
        self, dim, mixer_cls, mlp_cls=nn.Identity, norm_cls=nn.LayerNorm, fused_add_norm=False,
        residual_in_fp32=False,
    ):  # fmt: skip
        super().__init__()
        self.residual_in_fp32, self.fused_add_norm = residual_in_fp32, fused_add_norm
        self.norm, self.mixer = norm_cls(dim), mixer_cls(dim)
        self.mlp = None
        if mlp_cls is not nn.Identity:
            self.norm2, self.mlp = norm_cls(dim), mlp_cls(dim)
        is_known = isinstance(self.norm, (nn.LayerNorm, RMSNorm))
        assert is_known or not fused_add_norm, "Only LayerNorm and RMSNorm can be fused"

    def forward(self, hidden_states, residual=None, inference_params=None, **mixer_kwargs):
        """(mixed, residual), both [B, L, D]."""
        hidden_states, residual = self._added(self.norm, hidden_states, residual)
        mixed = self.mixer(hidden_states, inference_params=inference_params, **mixer_kwargs)
        if self.mlp is not None:
            mixed, residual = self._added(self.norm2, mixed, residual)
            mixed = self.mlp(mixed)
        return mixed, residual

    def _added(self, norm, hidden_states, residual):
        if self.fused_add_norm:
            return layer_norm_fn(
                *(hidden_states, norm.weight, norm.bias),
                residual=residual,
                eps=norm.eps,
                prenorm=True,
                residual_in_fp32=self.residual_in_fp32,
                is_rms_norm=isinstance(norm, RMSNorm),
            )
        residual = hidden_states if residual is None else hidden_states + residual
        normed = norm(residual.to(norm.weight.dtype))
        return normed, residual.to(torch.float32) if self.residual_in_fp32 else residual
