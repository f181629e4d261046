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
    `rel_pos_emb_config=(dim, heads)`, places are told by rotations. Scales of rotations (xPos) are not supported.
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
        if use_xpos:
            raise NotImplementedError("local_attention is supported with use_xpos=False")
        self.window_size, self.causal = window_size, causal
        self.look_backward, self.look_forward = look_backward, look_forward
        self.shared_qk, self.autopad, self.exact_windowsize = shared_qk, autopad, exact_windowsize
        self.scale = scale
        self.dropout = nn.Dropout(dropout)
        dim = rel_pos_emb_config[0] if rel_pos_emb_config is not None else dim
        self.rel_pos = _Rotations(dim) if use_rotary_pos_emb and dim is not None else None

    def forward(self, q, k, v, mask=None, input_mask=None, attn_bias=None, window_size=None):
        """`mask` [batch, length]: which places are seen; `attn_bias` [heads, window, keys of a window]."""
        assert window_size is None, (
            "cannot perform window size extrapolation if xpos is not turned on"
        )
        mask = input_mask if mask is None else mask
        size, before, length = self.window_size, q.shape[:-2], q.shape[-2]
        q, k, v = (it.reshape(-1, *it.shape[-2:]) for it in (q, k, v))
        missing = -length % size if self.autopad else 0
        q, k, v = (_longer(it, missing) for it in (q, k, v))
        assert q.shape[1] % size == 0, (
            f"sequence length {q.shape[1]} must be divisible by window size {size} for local attention"
        )
        k = F.normalize(k, dim=-1) if self.shared_qk else k
        scale = q.shape[-1] ** -0.5 if self.scale is None else self.scale
        queries = self._windows(q) * scale
        keys, values = (self._around(self._windows(it), _BEYOND) for it in (k, v))
        if self.rel_pos is not None:
            queries, keys = self.rel_pos(queries, keys)
        scores = torch.einsum("bwie,bwje->bwij", queries, keys)
        if attn_bias is not None:
            scores = scores + attn_bias.repeat(len(q) // len(attn_bias), 1, 1)[:, None]
        scores = self._hidden(scores, q.shape[1])
        if mask is not None:
            seen = self._around(self._windows(_longer(mask[..., None], missing)), False)
            seen = seen.mT.repeat_interleave(len(q) // len(mask), dim=0)
            scores = scores.masked_fill(~seen, _least(scores))
        weights = self.dropout(scores.softmax(dim=-1))
        out = torch.einsum("bwij,bwje->bwie", weights, values).flatten(1, 2)
        return out[:, :length].reshape(*before, length, -1)

    def _windows(self, x):
        return x.unflatten(1, (-1, self.window_size))

    def _around(self, x, filler):
        """[batch, windows, size, …] to each window with those beside it, [batch, windows, more, …]."""
        padding = (0, 0) * (x.dim() - 2) + (self.look_backward, self.look_forward)
        wide = F.pad(x, padding, value=filler)
        looked = wide.unfold(1, self.look_backward + 1 + self.look_forward, 1)
        return looked.movedim(-1, 2).flatten(2, 3)

    def _hidden(self, scores, length):
        """Scores without what a query may not see."""
        places = self._windows(torch.arange(length, device=scores.device)[None])
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

    def __init__(self, dim, theta=10000):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / theta ** (torch.arange(0, dim, 2).float() / dim))

    def forward(self, queries, keys):
        places = torch.arange(keys.shape[-2], device=keys.device).type_as(self.inv_freq)
        angles = (places[:, None] * self.inv_freq).repeat(1, 2)
        return _turned(queries, angles[-queries.shape[-2] :]), _turned(keys, angles)


def _turned(x, angles):
    first, second = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat((-second, first), dim=-1) * angles.sin()


def _longer(x, steps):
    return F.pad(x, (0, 0, 0, steps)) if steps else x


def _least(scores):
    return -torch.finfo(scores.dtype).max
