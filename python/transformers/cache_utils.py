"""Caches of keys and values, layer by layer."""

import torch


def _nothing_like(states):
    return torch.tensor([], dtype=states.dtype, device=states.device)


class Cache:
    is_compileable = False

    def update(self, key_states, value_states, layer_idx, *args, **kwargs):
        raise NotImplementedError("Make sure to implement `update` in a subclass.")


class DynamicCache(Cache):
    """Grows with what is added: [batch, heads, positions, d_head] a layer."""

    def __init__(self, *args, **kwargs):
        self.layers = []

    def update(self, key_states, value_states, layer_idx, *args, **kwargs):
        while len(self.layers) <= layer_idx:
            self.layers.append(None)
        kept = self.layers[layer_idx] or (_nothing_like(key_states), _nothing_like(value_states))
        added = zip(kept, (key_states, value_states))
        self.layers[layer_idx] = tuple(torch.cat(pair, dim=-2) for pair in added)
        return self.layers[layer_idx]

    def get_seq_length(self, layer_idx=0):
        kept = self.layers[layer_idx] if layer_idx < len(self.layers) else None
        return 0 if kept is None else kept[0].shape[-2]

    def get_query_offset(self, layer_idx=0):
        return self.get_seq_length(layer_idx)

    def get_usable_length(self, new_seq_length, layer_idx=0):
        return self.get_seq_length(layer_idx)

    def get_max_length(self):
        return None

    @property
    def key_cache(self):
        return [keys for keys, _ in self.layers]

    @property
    def value_cache(self):
        return [values for _, values in self.layers]

    @classmethod
    def from_legacy_cache(cls, past_key_values=None):
        """Of a tuple of (keys, values), one a layer."""
        made = cls()
        made.layers = [tuple(pair) for pair in past_key_values or ()]
        return made

    def to_legacy_cache(self):
        return tuple(self.layers)

    def __getitem__(self, layer_idx):
        return self.layers[layer_idx]

    def __iter__(self):
        return iter(self.layers)

    def get_mask_sizes(self, query_length, layer_idx=0):
        return query_length + self.get_seq_length(layer_idx), 0

    def get_max_cache_shape(self, layer_idx=0):
        return -1

    def __len__(self):
        return len(self.layers)


class EncoderDecoderCache(Cache):
    """Of a decoder's own states, and of the encoder's, which are computed once."""

    def __init__(self, *caches):
        self.self_attention_cache, self.cross_attention_cache = caches
        self.is_updated = {}

    def update(self, key_states, value_states, layer_idx, *args, **kwargs):
        return self.self_attention_cache.update(key_states, value_states, layer_idx)

    def get_seq_length(self, layer_idx=0):
        return self.self_attention_cache.get_seq_length(layer_idx)
