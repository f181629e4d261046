"""Attention by torch.nn.functional.scaled_dot_product_attention."""

import torch
from torch.nn import functional as F


def repeat_kv(hidden_states, n_rep):
    """[B, heads, T, d], each head `n_rep` times."""
    batch, heads, length, width = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    spread = hidden_states[:, :, None].expand(batch, heads, n_rep, length, width)
    return spread.reshape(batch, heads * n_rep, length, width)


def _with_bias(bias, mask, is_causal, length, count):
    """What is added to the scores: a bias for each place, the least number where nothing is seen."""
    if mask is None and is_causal:
        mask = torch.arange(length)[:, None] >= torch.arange(count)[None, :]
        mask = mask.view(1, 1, length, count)
    if mask is None:
        return bias.contiguous()
    if mask.dtype != torch.bool:
        return (bias + mask).contiguous()
    return torch.where(mask, bias, torch.finfo(bias.dtype).min).contiguous()


def sdpa_attention_forward(
    module,
    query,
    key,
    value,
    attention_mask,
    dropout=0.0,
    scaling=None,
    is_causal=None,
    position_bias=None,
    **kwargs,
):
    """[B, T, heads, d] and no weights, of [B, heads, T, d]; causal where there is no mask and the module is."""
    length = query.shape[2]
    groups = getattr(module, "num_key_value_groups", 1)
    # The kernel that repeats heads itself wants no mask.
    repeats = attention_mask is None and key.shape[-1] == value.shape[-1] <= 256
    if groups > 1 and not repeats:
        key, value = repeat_kv(key, groups), repeat_kv(value, groups)
    if is_causal is None:
        is_causal = getattr(module, "is_causal", True)
    is_causal = bool(length > 1 and attention_mask is None and is_causal)
    if is_causal and key.shape[2] > length:
        key, value = key[:, :, :length], value[:, :, :length]
        position_bias = None if position_bias is None else position_bias[..., :length]
    if position_bias is not None:
        attention_mask = _with_bias(position_bias, attention_mask, is_causal, length, key.shape[2])
        is_causal = False
    output = F.scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=attention_mask,
        dropout_p=dropout,
        scale=scaling,
        is_causal=is_causal,
        **({"enable_gqa": True} if groups > 1 and repeats else {}),
    )
    return output.transpose(1, 2).contiguous(), None
