"""Masks of attention as models of transformers ask for them: [B, 1, T, T of keys], or None where none is needed.

SDPA's are True where a place is seen; those of attention that is written out are added to scores.
"""

import sys

import torch
from normscope_boot.imports import give_placeholders
from torch._unsupported import unsupported


def causal_mask_function(batch_idx, head_idx, q_idx, kv_idx):
    return kv_idx <= q_idx


def bidirectional_mask_function(batch_idx, head_idx, q_idx, kv_idx):
    return q_idx >= 0


def and_masks(*mask_functions):
    return lambda *places: _joined(torch.logical_and, mask_functions, places)


def or_masks(*mask_functions):
    return lambda *places: _joined(torch.logical_or, mask_functions, places)


def _joined(join, mask_functions, places):
    seen = mask_functions[0](*places)
    for function in mask_functions[1:]:
        seen = join(seen, function(*places))
    return seen


def sliding_window_overlay(sliding_window):
    return lambda batch_idx, head_idx, q_idx, kv_idx: kv_idx > q_idx - sliding_window


def sliding_window_bidirectional_overlay(sliding_window):
    return lambda batch_idx, head_idx, q_idx, kv_idx: (q_idx - kv_idx).abs() <= sliding_window


def chunked_overlay(chunk_size, left_padding):
    def within(batch_idx, head_idx, q_idx, kv_idx):
        padding = left_padding[batch_idx]
        return (kv_idx - padding) // chunk_size == (q_idx - padding) // chunk_size

    return within


def sliding_window_causal_mask_function(sliding_window):
    return and_masks(sliding_window_overlay(sliding_window), causal_mask_function)


def padding_mask_function(padding_mask):
    return lambda batch_idx, head_idx, q_idx, kv_idx: padding_mask[batch_idx, kv_idx]


def create_causal_mask(
    config,
    inputs_embeds,
    attention_mask,
    cache=None,
    position_ids=None,
    or_mask_function=None,
    and_mask_function=None,
    block_sequence_ids=None,
    layer_idx=None,
    allow_is_causal_skip=True,
    past_key_values=None,
    cache_position=None,
):
    cache = past_key_values if cache is None else cache
    asked = (config, inputs_embeds, attention_mask, cache)
    overlays = (or_mask_function, and_mask_function)
    if not getattr(config, "is_causal", True):
        return _mask(*asked, bidirectional_mask_function, overlays, None, False)
    _refuse_packed(position_ids, attention_mask, cache, block_sequence_ids)
    return _mask(*asked, causal_mask_function, overlays, None, allow_is_causal_skip)


def create_sliding_window_causal_mask(
    config,
    inputs_embeds,
    attention_mask,
    cache=None,
    position_ids=None,
    or_mask_function=None,
    and_mask_function=None,
    block_sequence_ids=None,
    layer_idx=None,
    past_key_values=None,
    cache_position=None,
):
    cache = past_key_values if cache is None else cache
    _refuse_packed(position_ids, attention_mask, cache, block_sequence_ids)
    window = getattr(config, "sliding_window", None)
    if window is None:
        raise ValueError(
            "Could not find a `sliding_window` argument in the config, or it is not set"
        )
    overlays = (or_mask_function, and_mask_function)
    seen = sliding_window_causal_mask_function(window)
    return _mask(config, inputs_embeds, attention_mask, cache, seen, overlays, window, True)


def create_bidirectional_mask(
    config,
    inputs_embeds,
    attention_mask,
    encoder_hidden_states=None,
    cache=None,
    or_mask_function=None,
    and_mask_function=None,
    past_key_values=None,
    allow_is_bidirectional_skip=True,
):
    keys = inputs_embeds if encoder_hidden_states is None else encoder_hidden_states
    overlays = (or_mask_function, and_mask_function)
    return _mask(
        config,
        inputs_embeds,
        attention_mask,
        None,
        bidirectional_mask_function,
        overlays,
        None,
        allow_is_bidirectional_skip,
        keys.shape[1],
    )


def create_bidirectional_sliding_window_mask(
    config, inputs_embeds, attention_mask, or_mask_function=None, and_mask_function=None
):
    window = config.sliding_window
    seen = sliding_window_bidirectional_overlay(window)
    overlays = (or_mask_function, and_mask_function)
    return _mask(config, inputs_embeds, attention_mask, None, seen, overlays, window, True)


def _refuse_packed(position_ids, attention_mask, cache, block_sequence_ids):
    if block_sequence_ids is not None:
        raise unsupported("create_causal_mask(block_sequence_ids=…)")
    if position_ids is not None and attention_mask is None and cache is None:
        steps = position_ids.diff(dim=-1)
        if steps.numel() and not bool((steps == 1).all()):
            raise unsupported("create_causal_mask of several sequences packed into one row")


def _mask(config, embeds, padding, cache, seen, overlays, window, may_skip, keys=None):
    """`seen(sample, head, place, place of the key)`; `may_skip`: SDPA can do without where nothing is padded."""
    if padding is not None and padding.dim() == 4:
        return padding
    batch, length = embeds.shape[:2]
    before = 0 if cache is None else cache.get_seq_length()
    count = length + before if keys is None else keys
    if padding is not None:
        padding = padding.to(torch.bool)
        count = padding.shape[-1] if cache is None else count
    union, intersection = overlays
    if union is not None:
        seen = or_masks(seen, union)
    if intersection is not None:
        seen = and_masks(seen, intersection)
    may_skip = may_skip and union is None and intersection is None
    is_eager = config._attn_implementation != "sdpa"
    is_whole = padding is None or bool(padding.all())
    fits = length == 1 or count == length or before == 0
    if may_skip and is_whole and fits and (window is None or count < window):
        if not is_eager or seen is bidirectional_mask_function:
            return None
    if padding is not None:
        seen = and_masks(seen, padding_mask_function(padding))
    samples = torch.arange(batch)[:, None, None, None]
    heads = torch.arange(1)[None, :, None, None]
    places = (torch.arange(length) + before)[None, None, :, None]
    mask = seen(samples, heads, places, torch.arange(count)[None, None, None, :])
    mask = mask.expand(batch, -1, length, count)
    if not is_eager:
        return mask
    hidden = torch.finfo(embeds.dtype).min
    return torch.where(mask, torch.tensor(0.0, dtype=embeds.dtype), hidden)


give_placeholders(sys.modules[__name__])
