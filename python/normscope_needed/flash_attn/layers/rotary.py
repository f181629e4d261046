"""Rotations of queries and keys [batch, length, heads, width] by their places."""

import torch
from torch import nn


def rotate_half(x, interleaved=False):
    if interleaved:
        return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def apply_rotary_emb_torch(x, cos, sin, interleaved=False):
    """`cos` and `sin` [length, rotated / 2]; what is wider than rotated stays."""
    rotated = 2 * cos.shape[-1]
    cos, sin = (
        (it.repeat_interleave(2, dim=-1) if interleaved else torch.cat((it, it), dim=-1)).unsqueeze(
            -2
        )
        for it in (cos, sin)
    )
    turned, rest = x[..., :rotated], x[..., rotated:]
    return torch.cat((turned * cos + rotate_half(turned, interleaved) * sin, rest), dim=-1)


def apply_rotary_emb(
    x,
    cos,
    sin,
    interleaved=False,
    inplace=False,
    seqlen_offsets=0,
    cu_seqlens=None,
    max_seqlen=None,
):
    if cu_seqlens is not None or not isinstance(seqlen_offsets, int):
        raise NotImplementedError(
            "flash_attn's rotations are supported with cu_seqlens=None and one number of seqlen_offsets"
        )
    at = slice(seqlen_offsets, seqlen_offsets + x.shape[1])
    found = apply_rotary_emb_torch(x, cos[at], sin[at], interleaved)
    return x.copy_(found) if inplace else found


def apply_rotary_emb_qkv_(
    qkv, cos, sin, cos_k=None, sin_k=None, interleaved=False, seqlen_offsets=0, num_heads_q=None
):
    """`qkv` [batch, length, 3, heads, width], whose queries and keys are turned in place."""
    cos_k, sin_k = cos if cos_k is None else cos_k, sin if sin_k is None else sin_k
    q = apply_rotary_emb(qkv[:, :, 0], cos, sin, interleaved, False, seqlen_offsets)
    k = apply_rotary_emb(qkv[:, :, 1], cos_k, sin_k, interleaved, False, seqlen_offsets)
    qkv[:, :, 0], qkv[:, :, 1] = q, k
    return qkv


class RotaryEmbedding(nn.Module):
    """Rotations of `dim` features; without scales (xPos)."""

    def __init__(
        self,
        dim,
        base=10000.0,
        interleaved=False,
        scale_base=None,
        pos_idx_in_fp32=True,
        device=None,
    ):
        super().__init__()
        if scale_base is not None:
            raise NotImplementedError("flash_attn's rotations are supported with scale_base=None")
        self.dim, self.base, self.interleaved = dim, float(base), interleaved
        steps = torch.arange(0, dim, 2, device=device, dtype=torch.float32) / dim
        self.register_buffer("inv_freq", 1.0 / self.base**steps, persistent=False)

    def forward(self, qkv, kv=None, seqlen_offset=0, max_seqlen=None, num_heads_q=None):
        length = qkv.shape[1] if max_seqlen is None else max_seqlen
        angles = torch.outer(
            torch.arange(seqlen_offset + length, device=qkv.device).float(), self.inv_freq
        )
        cos, sin = angles.cos().to(qkv.dtype), angles.sin().to(qkv.dtype)
        options = (self.interleaved, False, seqlen_offset)
        if kv is None:
            return apply_rotary_emb_qkv_(qkv, cos, sin, None, None, self.interleaved, seqlen_offset)
        k = apply_rotary_emb(kv[:, :, 0], cos, sin, *options)
        return apply_rotary_emb(qkv, cos, sin, *options), torch.stack((k, kv[:, :, 1]), dim=2)
