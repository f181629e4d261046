"""Rotary position embeddings under the names of the package: neighbours are pairs, angles by position."""

from math import pi

import torch
from torch import nn

__version__ = "0.9.3"


def rotate_half(x):
    """Each pair (a, b) as (-b, a)."""
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


def apply_rotary_emb(freqs, t, start_index=0, scale=1.0, seq_dim=-2, freqs_seq_dim=None):
    """Turns features from `start_index` on, as many as there are angles; the others stay."""
    given = t.dtype
    if freqs_seq_dim is None and (freqs.dim() == 2 or t.dim() == 3):
        freqs_seq_dim = 0
    if freqs_seq_dim is not None:
        # The last ones, or all where there are fewer.
        first = max(freqs.shape[freqs_seq_dim] - t.shape[seq_dim], 0)
        freqs = freqs.narrow(freqs_seq_dim, first, freqs.shape[freqs_seq_dim] - first)
    end = start_index + freqs.shape[-1]
    assert freqs.shape[-1] <= t.shape[-1], (
        f"feature dimension {t.shape[-1]} is not of sufficient size to rotate in all the "
        f"positions {freqs.shape[-1]}"
    )
    middle = t[..., start_index:end]
    turned = middle * freqs.cos() * scale + rotate_half(middle) * freqs.sin() * scale
    return torch.cat((t[..., :start_index], turned, t[..., end:]), dim=-1).type(given)


def broadcat(tensors, dim=-1):
    return torch.cat(torch.broadcast_tensors(*_but_one(tensors, dim)), dim=dim)


def _but_one(tensors, dim):
    """The tensors with the sizes of all but one axis in common."""
    shapes = [list(tensor.shape) for tensor in tensors]
    common = torch.broadcast_shapes(*([*s[:dim], 1, *s[dim:][1:]] for s in shapes))
    for tensor, shape in zip(tensors, shapes):
        size = list(common)
        size[dim] = shape[dim]
        yield tensor.expand(size)


class RotaryEmbedding(nn.Module):
    """Angles of `dim` features: of language, of pixels in [-max_freq/2, max_freq/2] · π, or of whole numbers."""

    def __init__(
        self,
        dim,
        custom_freqs=None,
        freqs_for="lang",
        theta=10000,
        max_freq=10,
        num_freqs=1,
        learned_freq=False,
        use_xpos=False,
        xpos_scale_base=512,
        interpolate_factor=1.0,
        theta_rescale_factor=1.0,
        seq_before_head_dim=False,
        cache_if_possible=True,
        cache_max_seq_len=8192,
    ):
        super().__init__()
        theta *= theta_rescale_factor ** (dim / (dim - 2))
        self.freqs_for = freqs_for
        if custom_freqs is not None:
            freqs = custom_freqs
        elif freqs_for == "lang":
            freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: dim // 2].float() / dim))
        elif freqs_for == "pixel":
            freqs = torch.linspace(1.0, max_freq / 2, dim // 2) * pi
        elif freqs_for == "constant":
            freqs = torch.ones(num_freqs).float()
        self.freqs = nn.Parameter(freqs, requires_grad=learned_freq)
        self.learned_freq = learned_freq
        self.register_buffer("dummy", torch.tensor(0), persistent=False)
        self.seq_before_head_dim = seq_before_head_dim
        self.default_seq_dim = -3 if seq_before_head_dim else -2
        assert interpolate_factor >= 1.0
        self.interpolate_factor = interpolate_factor
        self.use_xpos = use_xpos
        if use_xpos:
            self.scale_base = xpos_scale_base
            scale = (torch.arange(0, dim, 2) + 0.4 * dim) / (1.4 * dim)
            self.register_buffer("scale", scale, persistent=False)

    @property
    def device(self):
        return self.dummy.device

    def get_seq_pos(self, seq_len, device=None, dtype=None, offset=0):
        positions = torch.arange(seq_len, device=device, dtype=dtype)
        return (positions + offset) / self.interpolate_factor

    def forward(self, t, seq_len=None, offset=0):
        """Angles [positions, dim], each twice."""
        freqs = self.freqs
        angles = t.type(freqs.dtype).unsqueeze(-1) * freqs
        return angles.repeat_interleave(2, dim=-1)

    def get_scale(self, t, seq_len=None, offset=0):
        assert self.use_xpos
        power = (t - len(t) // 2) / self.scale_base
        return (self.scale ** power.unsqueeze(-1)).repeat_interleave(2, dim=-1)

    def _angles(self, t, seq_dim, offset, scale):
        seq_dim = self.default_seq_dim if seq_dim is None else seq_dim
        length = t.shape[seq_dim]
        seq = self.get_seq_pos(length, device=t.device, dtype=t.dtype, offset=offset)
        freqs = self.forward(seq, length, offset)
        if seq_dim == -3:
            freqs = freqs.unsqueeze(1)
            scale = scale.unsqueeze(1) if torch.is_tensor(scale) else scale
        return freqs, seq_dim, scale

    def rotate_queries_or_keys(self, t, seq_dim=None, offset=0, scale=None):
        assert not self.use_xpos or scale is not None
        freqs, axis, scale = self._angles(t, seq_dim, offset, scale)
        return apply_rotary_emb(freqs, t, scale=1.0 if scale is None else scale, seq_dim=axis)

    def rotate_queries_with_cached_keys(self, q, k, seq_dim=None, offset=0):
        axis = self.default_seq_dim if seq_dim is None else seq_dim
        ahead = k.shape[axis] - q.shape[axis]
        q_scale = k_scale = 1.0
        if self.use_xpos:
            seq = self.get_seq_pos(k.shape[axis], dtype=k.dtype, device=k.device)
            k_scale = self.get_scale(seq)
            q_scale, k_scale = k_scale[-q.shape[axis] :], k_scale**-1
        q = self.rotate_queries_or_keys(q, axis, ahead + offset, q_scale)
        return q, self.rotate_queries_or_keys(k, axis, offset, k_scale)

    def rotate_queries_and_keys(self, q, k, seq_dim=None):
        assert self.use_xpos
        axis = self.default_seq_dim if seq_dim is None else seq_dim
        seq = self.get_seq_pos(q.shape[axis], dtype=q.dtype, device=q.device)
        scale = self.get_scale(seq)
        return (
            self.rotate_queries_or_keys(q, axis, 0, scale).type(q.dtype),
            self.rotate_queries_or_keys(k, axis, 0, scale**-1).type(k.dtype),
        )

    def get_axial_freqs(self, *dims, offsets=None):
        """Angles [*dims, features] of each axis, side by side."""
        parts = []
        for at, size in enumerate(dims):
            if self.freqs_for == "pixel":
                positions = torch.linspace(-1, 1, steps=size, device=self.device)
            else:
                positions = self.get_seq_pos(size, device=self.device)
            if offsets is not None:
                positions = positions + offsets[at]
            angles = self.forward(positions, size)
            shape = [1] * len(dims)
            shape[at] = size
            parts.append(angles.reshape(*shape, -1))
        whole = [*dims]
        return torch.cat([part.expand(*whole, part.shape[-1]) for part in parts], dim=-1)
