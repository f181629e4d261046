"""The selective scan (arXiv 2312.00752, algorithm 2): h' = exp(delta A) h + delta B u, y = C h + D u."""

import torch
import torch.nn.functional as F
from torch._unsupported import unsupported


def selective_scan_fn(
    u,
    delta,
    A,
    B,
    C,
    D=None,
    z=None,
    delta_bias=None,
    delta_softplus=False,
    return_last_state=False,
):
    """u, delta, z [B, D, L], A [D, N], B and C [D, N], [B, N, L] or [B, G, N, L], D and delta_bias [D]: [B, D, L].

    Computed in float32, and given back in u's type; with `return_last_state` (y, h [B, D, N]).
    """
    if A.is_complex():
        raise unsupported("mamba_ssm's selective scan of complex A")
    given = u.dtype
    u, delta = u.float(), _step_sizes(delta.float(), delta_bias, delta_softplus)
    B, C = (_of_each_channel(it.float(), u) for it in (B, C))
    decay = torch.exp(delta.unsqueeze(-1) * A[:, None])
    inflow = (delta * u).unsqueeze(-1) * B
    state = torch.zeros_like(decay[:, :, 0])
    outputs = []
    for i in range(u.shape[-1]):
        state = decay[:, :, i] * state + inflow[:, :, i]
        outputs.append((state * C[:, :, i]).sum(-1))
    y = torch.stack(outputs, dim=-1)
    if D is not None:
        y = y + u * D[:, None]
    if z is not None:
        y = y * F.silu(z)
    y = y.to(given)
    return (y, state) if return_last_state else y


selective_scan_ref = selective_scan_fn


def _step_sizes(delta, bias, is_softplus):
    if bias is not None:
        delta = delta + bias[:, None].float()
    return F.softplus(delta) if is_softplus else delta


def _of_each_channel(factor, u):
    """B or C as [B, D or 1, L, N], or [1, D, L or 1, N] where it is the same at every step."""
    if factor.dim() == 2:
        return factor[None, :, None].expand(1, -1, u.shape[-1], -1)
    if factor.dim() == 3:
        return factor.transpose(1, 2).unsqueeze(1)
    each = u.shape[1] // factor.shape[1]
    return factor.transpose(2, 3).repeat_interleave(each, dim=1)


def mamba_inner_fn(
    xz, conv1d_weight, conv1d_bias, x_proj_weight, delta_proj_weight, out_proj_weight, out_proj_bias, A,
    B=None, C=None, D=None, delta_bias=None, B_proj_bias=None, C_proj_bias=None, delta_softplus=True, **others,
):  # fmt: skip
    """From the inner projection xz [B, 2 D, L] to the block's output [B, L, d_model]."""
    if any(value is not None for value in others.values()):
        raise unsupported("mamba_ssm's mamba_inner_fn with norms of delta, B and C")
    length = xz.shape[-1]
    x, z = xz.chunk(2, dim=1)
    width = conv1d_weight.shape[-1]
    x = F.conv1d(x, conv1d_weight, conv1d_bias, padding=width - 1, groups=x.shape[1])
    x = F.silu(x[..., :length])
    n = A.shape[-1]
    rank = delta_proj_weight.shape[1]
    projected = F.linear(x.transpose(1, 2), x_proj_weight)
    delta = (projected[..., :rank] @ delta_proj_weight.t()).transpose(1, 2)
    if B is None:
        B = _projected(projected[..., rank : rank + n], B_proj_bias)
    if C is None:
        C = _projected(projected[..., -n:], C_proj_bias)
    y = selective_scan_fn(x, delta, A, B, C, D, z, delta_bias, delta_softplus)
    return F.linear(y.transpose(1, 2), out_proj_weight, out_proj_bias)


def _projected(factor, bias):
    return (factor if bias is None else factor + bias).transpose(1, 2)
