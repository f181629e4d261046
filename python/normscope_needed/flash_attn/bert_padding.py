"""Tokens of a padded batch one after another, without the padding, and back."""

import torch
import torch.nn.functional as F


def index_first_axis(x, indices):
    return x[indices]


def unpad_input(hidden_states, attention_mask):
    """[batch, length, ...] to ([tokens, ...], their places, where sequences begin, the longest)."""
    lengths = attention_mask.sum(dim=-1, dtype=torch.int32)
    indices = attention_mask.flatten().nonzero().flatten()
    starts = F.pad(lengths.cumsum(0, dtype=torch.int32), (1, 0))
    return hidden_states.flatten(0, 1)[indices], indices, starts, lengths.max().item()


def pad_input(hidden_states, indices, batch, seqlen):
    """[tokens, ...] to [batch, length, ...], zeros where there are none."""
    padded = hidden_states.new_zeros(batch * seqlen, *hidden_states.shape[1:])
    return padded.index_copy(0, indices, hidden_states).unflatten(0, (batch, seqlen))
