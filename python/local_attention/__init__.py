"""Attention within windows of a sequence, and to the windows beside them."""

import torch
import torch.nn.functional as F
from torch import nn

__all__ = ["LocalAttention"]

# Of a place to itself, where queries and keys are the same.
_TO_ITSELF = -5e4
# Places beyond the ends of the sequence.
_BEYOND = -1


class LocalAttention(nn.Module):
    """Queries, keys and values [..., length, width] to [..., length, width].

    `look_backward` and `look_forward` are windows beside a query's own. With `dim`, or its older form
    `rel_pos_emb_config=(dim, heads)`, places are told by rotations, which `use_xpos` scales (xPos, arXiv 2212.10554).
    """

    def __init__(
        self,
        window_size,
        causal=False,
        look_backward=1,
        look_forward=None,
        dropout=0.0,
        shared_qk=False,
        rel_pos_emb_config=None,
        dim=None,
        autopad=False,
        exact_windowsize=False,
        scale=None,
        use_rotary_pos_emb=True,
        use_xpos=False,
        xpos_scale_base=None,
    ):
        super().__init__()
        if look_forward is None:
            look_forward = 0 if causal else 1
        assert not (causal and look_forward > 0), "you cannot look forward if causal"
        self.window_size, self.causal = window_size, causal
        self.look_backward, self.look_forward = look_backward, look_forward
        self.shared_qk, self.autopad, self.exact_windowsize = shared_qk, autopad, exact_windowsize
        self.scale = scale
        self.dropout = nn.Dropout(dropout)
        dim = rel_pos_emb_config[0] if rel_pos_emb_config is not None else dim
        self.use_xpos = use_xpos
        self.rel_pos = None
        if use_rotary_pos_emb and dim is not None:
            base = window_size // 2 if xpos_scale_base is None else xpos_scale_base
            self.rel_pos = _Rotations(dim, base if use_xpos else None)

    def forward(self, q, k, v, mask=None, input_mask=None, attn_bias=None, window_size=None):
        """`mask` [batch, length]: which places are seen; `attn_bias` [heads, window, keys of a window]."""
        assert window_size is None or self.use_xpos, (
            "cannot perform window size extrapolation if xpos is not turned on"
        )
        mask = input_mask if mask is None else mask
        size = self.window_size if window_size is None else window_size
        before, length = q.shape[:-2], q.shape[-2]
        q, k, v = (it.reshape(-1, *it.shape[-2:]) for it in (q, k, v))
        missing = -length % self.window_size if self.autopad else 0
        q, k, v = (_longer(it, missing) for it in (q, k, v))
        assert q.shape[1] % size == 0, (
            f"sequence length {q.shape[1]} must be divisible by window size {size} for local attention"
        )
        k = F.normalize(k, dim=-1) if self.shared_qk else k
        scale = q.shape[-1] ** -0.5 if self.scale is None else self.scale
        queries = _windows(q, size) * scale
        keys, values = (self._around(_windows(it, size), _BEYOND) for it in (k, v))
        if self.rel_pos is not None:
            queries, keys = self.rel_pos(queries, keys)
        scores = torch.einsum("bwie,bwje->bwij", queries, keys)
        if attn_bias is not None:
            scores = scores + attn_bias.repeat(len(q) // len(attn_bias), 1, 1)[:, None]
        scores = self._hidden(scores, q.shape[1], size)
        if mask is not None:
            seen = self._around(_windows(_longer(mask[..., None], missing), size), False)
            seen = seen.mT.repeat_interleave(len(q) // len(mask), dim=0)
            scores = scores.masked_fill(~seen, _least(scores))
        weights = self.dropout(scores.softmax(dim=-1))
        out = torch.einsum("bwij,bwje->bwie", weights, values).flatten(1, 2)
        return out[:, :length].reshape(*before, length, -1)

    def _around(self, x, filler):
        """[batch, windows, size, …] to each window with those beside it, [batch, windows, more, …]."""
        padding = (0, 0) * (x.dim() - 2) + (self.look_backward, self.look_forward)
        wide = F.pad(x, padding, value=filler)
        looked = wide.unfold(1, self.look_backward + 1 + self.look_forward, 1)
        return looked.movedim(-1, 2).flatten(2, 3)

    def _hidden(self, scores, length, size):
        """Scores without what a query may not see."""
        places = _windows(torch.arange(length, device=scores.device)[None], size)
        at = places[..., :, None]
        to = self._around(places, _BEYOND)[..., None, :]
        if self.shared_qk:
            scores = scores.masked_fill(at == to, _TO_ITSELF)
        behind, ahead = self.window_size * self.look_backward, self.window_size * self.look_forward
        if self.causal:
            is_hidden = at < to
            if self.exact_windowsize:
                is_hidden = is_hidden | (at > to + behind)
            scores = scores.masked_fill(is_hidden, _least(scores))
        is_beyond = to == _BEYOND
        if self.exact_windowsize and not self.causal:
            is_beyond = is_beyond | (to - ahead > at) | (at > to + behind)
        return scores.masked_fill(is_beyond, _least(scores))


class _Rotations(nn.Module):
    """Turns queries and keys by their places in the window: queries have the last ones."""

    def __init__(self, dim, scale_base, theta=10000):
        super().__init__()
        evens = torch.arange(0, dim, 2)
        self.register_buffer("inv_freq", 1.0 / theta ** (evens.float() / dim))
        self.register_buffer("scale", (evens + 0.4 * dim) / (1.4 * dim), persistent=False)
        self.scale_base = scale_base

    def forward(self, queries, keys):
        length, last = keys.shape[-2], slice(-queries.shape[-2], None)
        places = torch.arange(length, device=keys.device).type_as(self.inv_freq)
        angles = (places[:, None] * self.inv_freq).repeat(1, 2)
        queries, keys = _turned(queries, angles[last]), _turned(keys, angles)
        if self.scale_base is None:
            return queries, keys
        power = (places - length // 2) / self.scale_base
        scale = (self.scale ** power[:, None]).repeat(1, 2)
        return queries * scale[last], keys * scale**-1


def _windows(x, size):
    return x.unflatten(1, (-1, size))


def _turned(x, angles):
    first, second = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat((-second, first), dim=-1) * angles.sin()


def _longer(x, steps):
    return F.pad(x, (0, 0, 0, steps)) if steps else x


def _least(scores):
    return -torch.finfo(scores.dtype).max
