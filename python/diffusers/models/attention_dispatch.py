"""Attention by PyTorch's own function."""

import torch.nn.functional as F


def dispatch_attention_fn(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    scale=None,
    enable_gqa=False,
    attention_kwargs=None,
    *,
    backend=None,
    parallel_config=None,
):
    """Of queries, keys and values (B, L, heads, D), as is what comes out."""
    query, key, value = (it.transpose(1, 2) for it in (query, key, value))
    out = F.scaled_dot_product_attention(
        query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
    )
    return out.transpose(1, 2)
