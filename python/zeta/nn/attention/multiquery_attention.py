"""Multi-query attention (Shazeer, 2019): all heads attend to the same keys and values."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiQueryAttention(nn.Module):
    """[batch, length, dim] to (the same shape, weights or None, keys and values or None).

    It raises NotImplementedError for kernels other than PyTorch's and for norms of queries and keys.
    """

    def __init__(
        self,
        dim,
        heads,
        attn_impl="torch",
        clip_qkv=None,
        qk_ln=False,
        softmax_scale=None,
        attn_pdrop=0.0,
        norm_type="low_precision_layernorm",
        fc_type="torch",
        verbose=0,
        device=None,
    ):
        super().__init__()
        if attn_impl != "torch" or fc_type != "torch" or qk_ln:
            raise NotImplementedError(
                "zeta's MultiQueryAttention is supported with attn_impl='torch', fc_type='torch' and "
                f"qk_ln=False; got {attn_impl!r}, {fc_type!r} and {qk_ln!r}"
            )
        self.attn_impl = attn_impl
        self.clip_qkv = clip_qkv
        self.qk_ln = qk_ln
        self.dim = dim
        self.heads = heads
        self.head_dim = dim // heads
        self.softmax_scale = self.head_dim**-0.5 if softmax_scale is None else softmax_scale
        self.attn_dropout = attn_pdrop
        self.Wqkv = nn.Linear(dim, dim + 2 * self.head_dim, device=device)
        self.out_proj = nn.Linear(dim, dim, device=device)

    def forward(
        self, x, past_key_value=None, bias=None, mask=None, causal=True, needs_weights=False
    ):
        projected = self.Wqkv(x)
        if self.clip_qkv:
            projected = projected.clamp(min=-self.clip_qkv, max=self.clip_qkv)
        query, key, value = projected.split([self.dim, self.head_dim, self.head_dim], dim=2)
        query = query.unflatten(2, (self.heads, self.head_dim)).transpose(1, 2)
        key, value = key[:, None].transpose(2, 3), value[:, None]
        if past_key_value is not None:
            if len(past_key_value):
                key = torch.cat([past_key_value[0], key], dim=3)
                value = torch.cat([past_key_value[1], value], dim=2)
            past_key_value = key, value
        weights = self._weights(query.matmul(key) * self.softmax_scale, bias, mask, causal)
        output = weights.to(value.dtype).matmul(value).transpose(1, 2).flatten(2)
        return self.out_proj(output), weights if needs_weights else None, past_key_value

    def _weights(self, scores, bias, mask, causal):
        """The softmax of scores [batch, heads, queries, keys]; `mask` [batch, keys] has what is seen."""
        queries, keys = scores.shape[2:]
        if bias is not None:
            rows, columns = (max(0, bias.size(2) - queries), max(0, bias.size(3) - keys))
            scores = scores + bias[:, :, rows:, columns:]
        least = torch.finfo(scores.dtype).min
        if mask is not None:
            scores = scores.masked_fill(~mask.view(-1, 1, 1, keys), least)
        if causal and queries > 1:
            seen = scores.new_ones(max(queries, keys), max(queries, keys), dtype=torch.bool).tril()
            scores = scores.masked_fill(~seen[-queries:, -keys:], least)
        weights = torch.softmax(scores, dim=-1)
        if self.attn_dropout:
            weights = F.dropout(weights, p=self.attn_dropout, training=self.training)
        return weights
