"""Norms that add a residual first, and give that back too where the next block wants it."""

import torch
import torch.nn.functional as F
from torch import nn
from torch._unsupported import unsupported


def layer_norm_fn(
    x, weight, bias, residual=None, x1=None, weight1=None, bias1=None, eps=1e-6, dropout_p=0.0,
    rowscale=None, prenorm=False, residual_in_fp32=False, is_rms_norm=False, return_dropout_mask=False,
):  # fmt: skip
    """The norm of x + residual over the last axis, in x's type; with `prenorm` (norm, x + residual).

    Sums and norms are computed in float32, and the sum is kept in the residual's type.
    """
    if dropout_p or return_dropout_mask or any(it is not None for it in (x1, weight1, rowscale)):
        raise unsupported("mamba_ssm's norms with dropout, a second input or scaled rows")
    kept = torch.float32 if residual_in_fp32 and residual is None else None
    kept = kept or (x if residual is None else residual).dtype
    total = x.float() if residual is None else x.float() + residual.float()
    size, weight = (x.shape[-1],), weight.float()
    if is_rms_norm:
        scale = torch.rsqrt(total.square().mean(-1, keepdim=True) + eps)
        normed = total * scale * weight + (0.0 if bias is None else bias.float())
    else:
        normed = F.layer_norm(total, size, weight, None if bias is None else bias.float(), eps)
    normed = normed.to(x.dtype)
    return (normed, total.to(kept)) if prenorm else normed


def rms_norm_fn(x, weight, bias, *args, **kwargs):
    return layer_norm_fn(x, weight, bias, *args, is_rms_norm=True, **kwargs)


class RMSNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-5, dropout_p=0.0, device=None, dtype=None):
        super().__init__()
        self.eps = eps
        self.drop = nn.Dropout(dropout_p) if dropout_p > 0.0 else None
        self.weight = nn.Parameter(torch.ones(hidden_size, device=device, dtype=dtype))
        self.register_parameter("bias", None)

    def forward(self, x, residual=None, prenorm=False, residual_in_fp32=False):
        return rms_norm_fn(
            x,
            self.weight,
            self.bias,
            residual=residual,
            eps=self.eps,
            dropout_p=self.drop.p if self.drop is not None and self.training else 0.0,
            prenorm=prenorm,
            residual_in_fp32=residual_in_fp32,
        )
