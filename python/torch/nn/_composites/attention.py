"""Multi-head attention as one call: projections, heads, masks, and the output projection."""

import math

from ... import _dtypes
from ..._call import call, composite
from ...amp.autocast_mode import is_autocast_cpu_enabled

__all__ = ["_canonical_mask", "multi_head_attention_forward"]


@composite("multi_head_attention_forward")
def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
):
    """query [L, N, E], key and value [S, N, E], or without N → [L, N, E] and weights [N, L, S]."""
    batched = _check_ranks(query, key, value, key_padding_mask, attn_mask, num_heads)
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    key_padding_mask = _canonical_mask(key_padding_mask, "key_padding_mask", query.dtype)
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = _canonical_mask(attn_mask, "attn_mask", query.dtype)
        is_causal = is_causal and key_padding_mask is None
    if not batched:
        query, key, value = _with_batch(query, key, value)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = _project(query, key, value, weights, in_proj_bias)
    elif key is value and _computes_in_half(query):
        q, k, v = _project_packed(query, key, in_proj_weight, in_proj_bias)
    else:
        q, k, v = _project(query, key, value, in_proj_weight.chunk(3), in_proj_bias)
    _check_padding(key_padding_mask, key)
    attn_mask = _with_heads(attn_mask, query, key, num_heads)
    q, k, v, attn_mask, key_padding_mask = _split_heads(
        q,
        k,
        v,
        num_heads,
        bias_k,
        bias_v,
        static_k,
        static_v,
        add_zero_attn,
        attn_mask,
        key_padding_mask,
    )
    mask = _joined_mask(attn_mask, key_padding_mask, query.shape[1], num_heads, k.shape[1])
    dropout_p = dropout_p if training else 0.0
    attend = _attend_with_weights if need_weights else _attend
    output, probabilities = attend(q, k, v, mask, dropout_p, is_causal, (query.shape[1], num_heads))
    output = output.transpose(0, 1).reshape(query.shape)
    output = call("linear", (output, out_proj_weight, out_proj_bias), {})
    output = output.view(output.shape)
    if probabilities is not None:
        # A view has a gradient of its own, apart from that of what weighs the values.
        shown = probabilities.view(probabilities.shape)
        probabilities = shown.mean(dim=1) if average_attn_weights else shown
    if not batched:
        output = output.squeeze(1)
        probabilities = None if probabilities is None else probabilities.squeeze(0)
    return output, probabilities


def _check_ranks(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Returns whether there is a batch axis."""
    rank = query.dim()
    if rank not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor"
        )
    kind = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
    if key.dim() != rank or value.dim() != rank:
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {rank}-D but found "
            f"{key.dim()}-D and {value.dim()}-D tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.dim() != rank - 1:
        raise AssertionError(
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {rank - 1}-D but "
            "found "
            f"{key_padding_mask.dim()}-D tensor instead"
        )
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(
                f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found "
                f"{attn_mask.dim()}-D tensor instead"
            )
        expected = (num_heads, query.shape[0], key.shape[0])
        if rank == 2 and attn_mask.dim() == 3 and attn_mask.shape != expected:
            raise AssertionError(
                f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}"
            )
    return rank == 3


def _canonical_mask(mask, mask_name, target_type):
    """A mask that is added to the logits: −inf where a boolean mask is True."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype is not _dtypes.bool:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    zeros = call("zeros_like", (mask,), {"dtype": target_type})
    return zeros.masked_fill_(mask, -math.inf)


def _with_batch(query, key, value):
    """Axis 1 added; what was one tensor stays one."""
    new_query = query.unsqueeze(1)
    new_key = new_query if key is query else key.unsqueeze(1)
    return new_query, new_key, new_key if value is key else value.unsqueeze(1)


def _check_sizes(query, key, value, embed_dim, num_heads, separate):
    if query.shape[-1] != embed_dim:
        raise AssertionError(
            f"was expecting embedding dimension of {embed_dim}, but got {query.shape[-1]}"
        )
    if embed_dim % num_heads != 0:
        raise AssertionError(f"embed_dim {embed_dim} not divisible by num_heads {num_heads}")
    if separate and key.shape[:2] != value.shape[:2]:
        raise AssertionError(
            f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
        )
    if not separate and key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")


def _check_padding(mask, key):
    for axis, size in () if mask is None else ((0, key.shape[1]), (1, key.shape[0])):
        if mask.shape[axis] != size:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{axis}] to be {size}, but got {mask.shape[axis]}"
            )


def _project(query, key, value, weights, bias):
    biases = (None, None, None) if bias is None else bias.chunk(3)
    given = zip((query, key, value), weights, biases)
    return [call("linear", (x, weight, b), {}) for x, weight, b in given]


def _computes_in_half(query):
    return query.dtype in (_dtypes.float16, _dtypes.bfloat16) or is_autocast_cpu_enabled()


def _project_packed(query, key, weight, bias):
    """Projections of one tensor are one product: half precision rounds its gradient once."""
    if query is key:
        return call("linear", (query, weight, bias), {}).chunk(3, -1)
    width = query.shape[-1]
    of_query, of_key = weight.split([width, 2 * width])
    query_bias, key_bias = (None, None) if bias is None else bias.split([width, 2 * width])
    q = call("linear", (query, of_query, query_bias), {})
    return (q, *call("linear", (key, of_key, key_bias), {}).chunk(2, -1))


def _with_heads(mask, query, key, num_heads):
    """[L, S] or [N · heads, L, S] → three axes, checked."""
    if mask is None:
        return None
    length, batch, _ = query.shape
    if mask.dim() == 2:
        if mask.shape != (length, key.shape[0]):
            raise RuntimeError(
                f"The shape of the 2D attn_mask is {mask.shape}, but should be "
                f"{(length, key.shape[0])}."
            )
        return mask.unsqueeze(0)
    expected = (batch * num_heads, length, key.shape[0])
    if mask.shape != expected:
        raise RuntimeError(
            f"The shape of the 3D attn_mask is {mask.shape}, but should be {expected}."
        )
    return mask


def _split_heads(
    q, k, v, num_heads, bias_k, bias_v, static_k, static_v, add_zero_attn, mask, padding
):
    """[L, N, E] → [N · heads, L, E / heads], with the extra keys and values that were asked for."""
    length, batch, width = q.shape
    if bias_k is not None and bias_v is not None:
        k = call("cat", ([k, bias_k.repeat(1, batch, 1)],), {})
        v = call("cat", ([v, bias_v.repeat(1, batch, 1)],), {})
        mask, padding = _one_key_more(mask), _one_key_more(padding)

    def heads(x):
        return x.reshape(x.shape[0], batch * num_heads, width // num_heads).transpose(0, 1)

    q = heads(q)
    k = heads(k) if static_k is None else static_k
    v = heads(v) if static_v is None else static_v
    if add_zero_attn:
        zeros = k.new_zeros(batch * num_heads, 1, width // num_heads)
        k = call("cat", ([k, zeros],), {"dim": 1})
        v = call("cat", ([v, zeros],), {"dim": 1})
        mask, padding = _one_key_more(mask), _one_key_more(padding)
    return q, k, v, mask, padding


def _one_key_more(mask):
    if mask is None:
        return None
    more = mask.new_zeros(*mask.shape[:-1], 1)
    return call("cat", ([mask, more],), {"dim": -1})


def _joined_mask(mask, padding, batch, num_heads, keys):
    """Both masks as one that is added to logits of [N, heads, L, S]."""
    if mask is not None:
        by_head = mask.shape[0] != 1
        sizes = (batch, num_heads) if by_head else (1, 1)
        mask = mask.reshape(*sizes, mask.shape[-2], mask.shape[-1])
    if padding is None:
        return mask
    padding = padding.reshape(batch, 1, 1, keys)
    return padding if mask is None else mask + padding


def _attend(q, k, v, mask, dropout_p, is_causal, lead):
    q, k, v = (x.reshape(*lead, *x.shape[1:]) for x in (q, k, v))
    options = {"attn_mask": mask, "dropout_p": dropout_p, "is_causal": is_causal}
    output = call("scaled_dot_product_attention", (q, k, v), options)
    return output.permute(2, 0, 1, 3).transpose(0, 1), None


def _attend_with_weights(q, k, v, mask, dropout_p, is_causal, lead):
    q, k, v = (x.reshape(*lead, *x.shape[1:]) for x in (q, k, v))
    scaled = q * math.sqrt(1.0 / float(q.shape[-1]))
    logits = scaled @ k.transpose(-2, -1)
    if mask is not None:
        logits = logits + mask
    weights = logits.softmax(dim=-1)
    if dropout_p > 0.0:
        weights = call("dropout", (weights,), {"p": dropout_p})
    return (weights @ v).permute(2, 0, 1, 3).transpose(0, 1), weights
