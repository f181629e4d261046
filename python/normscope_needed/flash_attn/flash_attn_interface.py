"""Attention of [batch, length, heads, width], or [all tokens, heads, width] with where each sequence begins.

Keys may have fewer heads than queries. What is causal ends with the last key.
"""

import torch
import torch.nn.functional as F


def flash_attn_func(
    q,
    k,
    v,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    _refuse_probabilities(return_attn_probs)
    places = (
        torch.arange(k.shape[1] - q.shape[1], k.shape[1], device=q.device),
        torch.arange(k.shape[1], device=q.device),
    )
    seen = _seen(*places, causal, window_size)
    return _attention(
        q, k, v, dropout_p, softmax_scale, seen, softcap, _slopes(alibi_slopes, *places)
    )


def flash_attn_varlen_func(
    q,
    k,
    v,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
    block_table=None,
):
    """`cu_seqlens` [sequences + 1] are the first tokens of each, and their number."""
    _refuse_probabilities(return_attn_probs)
    count = cu_seqlens_q.shape[0] - 1
    if count * max_seqlen_q == q.shape[0] and count * max_seqlen_k == k.shape[0]:
        # All are as long as the longest: a batch.
        q, k, v = (it.unflatten(0, (count, -1)) for it in (q, k, v))
        return flash_attn_func(
            q, k, v, dropout_p, softmax_scale, causal, window_size, softcap, alibi_slopes
        ).flatten(0, 1)
    rows, columns = _numbered(cu_seqlens_q, len(q)), _numbered(cu_seqlens_k, len(k))
    # Counted so that the last of a sequence's queries stands at its last key.
    lengths = (cu_seqlens_k - cu_seqlens_q).diff()
    places = (rows[1] + lengths[rows[0]], columns[1])
    seen = rows[0][:, None] == columns[0]
    if (within := _seen(*places, causal, window_size)) is not None:
        seen = seen & within
    slopes = _slopes(alibi_slopes, *places)
    return _attention(q[None], k[None], v[None], dropout_p, softmax_scale, seen, softcap, slopes)[0]


def flash_attn_qkvpacked_func(qkv, *args, **options):
    """`qkv` [batch, length, 3, heads, width]."""
    return flash_attn_func(*qkv.unbind(2), *args, **options)


def flash_attn_kvpacked_func(q, kv, *args, **options):
    return flash_attn_func(q, *kv.unbind(2), *args, **options)


def flash_attn_varlen_qkvpacked_func(qkv, cu_seqlens, max_seqlen, *args, **options):
    """`qkv` [all tokens, 3, heads, width]."""
    lengths = (cu_seqlens, cu_seqlens, max_seqlen, max_seqlen)
    return flash_attn_varlen_func(*qkv.unbind(1), *lengths, *args, **options)


def flash_attn_varlen_kvpacked_func(q, kv, *args, **options):
    return flash_attn_varlen_func(q, *kv.unbind(1), *args, **options)


# Their names in version 1.
flash_attn_unpadded_func = flash_attn_varlen_func
flash_attn_unpadded_qkvpacked_func = flash_attn_varlen_qkvpacked_func
flash_attn_unpadded_kvpacked_func = flash_attn_varlen_kvpacked_func


def _attention(q, k, v, dropout_p, scale, seen, softcap, bias):
    groups = q.shape[2] // k.shape[2]
    q, k, v = q.transpose(1, 2), *(it.repeat_interleave(groups, 2).transpose(1, 2) for it in (k, v))
    if not softcap:
        mask = (
            seen
            if bias is None
            else bias
            if seen is None
            else bias.masked_fill(~seen, float("-inf"))
        )
        found = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=dropout_p, scale=scale
        )
        return found.transpose(1, 2)
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    scores = softcap * (scores / softcap).tanh() + (0 if bias is None else bias)
    if seen is not None:
        scores = scores.masked_fill(~seen, float("-inf"))
    return (F.dropout(scores.softmax(-1), dropout_p) @ v).transpose(1, 2)


def _seen(rows, columns, causal, window):
    """[queries, keys]: those not after the query's place and within its window; None where all are."""
    before, after = window
    after = 0 if causal else after
    distance = columns - rows[:, None]
    seen = [distance <= after] if after >= 0 else []
    seen += [distance >= -before] if before >= 0 else []
    return None if not seen else seen[0] if len(seen) == 1 else seen[0] & seen[1]


def _slopes(slopes, rows, columns):
    """ALiBi: the score falls by `slopes` [heads] or [batch, heads] with each place of distance."""
    return None if slopes is None else -slopes[..., None, None] * (columns - rows[:, None]).abs()


def _numbered(starts, length):
    """For each token, the number of its sequence, and of the place in it."""
    tokens = torch.arange(length, device=starts.device)
    sequence = (tokens[:, None] >= starts[1:]).sum(1)
    return sequence, tokens - starts[sequence]


def _refuse_probabilities(are_asked_for):
    if are_asked_for:
        raise NotImplementedError("flash_attn is supported with return_attn_probs=False")
