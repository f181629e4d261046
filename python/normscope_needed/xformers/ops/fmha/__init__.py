"""memory_efficient_attention: queries, keys and values [batch, length, heads, width]."""

import torch.nn.functional as F

from . import attn_bias as attn_bias
from .attn_bias import AttentionBias, BlockDiagonalMask

__all__ = ["AttentionBias", "BlockDiagonalMask", "attn_bias", "memory_efficient_attention"]


def memory_efficient_attention(
    query, key, value, attn_bias=None, p=0.0, scale=None, *, op=None, output_dtype=None
):
    """Also [batch, length, width], and [batch, length, groups, heads, width]; the result is as the queries.

    `attn_bias` is added to the scores [batch, heads, queries, keys], or says what is seen.
    """
    dims = query.dim()
    q, k, v = (_with_heads(it).transpose(1, 2) for it in (query, key, value))
    bias = attn_bias
    if isinstance(bias, AttentionBias):
        bias = bias.materialize((q.shape[2], k.shape[2]), dtype=q.dtype, device=q.device)
    elif bias is not None and bias.dim() == 3:
        bias = bias[:, None]
    elif bias is not None and bias.dim() == 5:
        bias = bias.flatten(1, 2)
    found = F.scaled_dot_product_attention(
        q, k, v, attn_mask=bias, dropout_p=p, scale=scale
    ).transpose(1, 2)
    if dims == 3:
        found = found.squeeze(2)
    elif dims == 5:
        found = found.unflatten(2, query.shape[2:4])
    return found if output_dtype is None else found.to(output_dtype)


def _with_heads(x):
    if x.dim() == 3:
        return x.unsqueeze(2)
    return x.flatten(2, 3) if x.dim() == 5 else x
