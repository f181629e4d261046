"""Sequences of different lengths, padded or packed."""

import collections

from ..._call import call, composite
from ..._dtypes import int64
from ..._factories import as_tensor, tensor
from ..._tensor import Tensor

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]

_Fields = collections.namedtuple(
    "PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"]
)


def invert_permutation(permutation):
    if permutation is None:
        return None
    inverse = call("empty_like", (permutation,), {})
    places = call("arange", (0, permutation.numel()), {})
    inverse.scatter_(0, permutation, places)
    return inverse


class PackedSequence(_Fields):
    """Steps of all sequences one after the other; `batch_sizes` are alive at each step."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        return type(self)(self.data.to(*args, **kwargs), *self[1:])

    def cpu(self):
        return self

    def pin_memory(self):
        return self

    is_cuda = False

    def is_pinned(self):
        return False


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    if isinstance(lengths, Tensor):
        lengths = lengths.to(dtype=int64)
    else:
        lengths = as_tensor(lengths, dtype=int64)
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = call("sort", (lengths,), {"descending": True})
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = _pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices)


@composite("_pack_padded_sequence")
def _pack_padded_sequence(input, lengths, batch_first):
    """Steps [sum of lengths, ...] and how many sequences are alive at each [longest]."""
    lengths = lengths.tolist()
    steps = input.transpose(0, 1) if batch_first else input
    if len(lengths) != steps.shape[1]:
        raise RuntimeError(
            "Expected `len(lengths)` to be equal to batch_size, but got "
            f"{len(lengths)} (batch_size={steps.shape[1]})"
        )
    if any(length <= 0 for length in lengths):
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if lengths != sorted(lengths, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
            "You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep "
            "this "
            "requirement if you do not need ONNX exportability."
        )
    sizes = [sum(length > step for length in lengths) for step in range(lengths[0])]
    data = call("cat", ([steps[step, :size] for step, size in enumerate(sizes)],), {})
    return data, tensor(sizes)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    longest = sequence.batch_sizes.size(0)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, "
            "but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    padded, lengths = _pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, total_length or longest
    )
    unsorted_indices = sequence.unsorted_indices
    if unsorted_indices is None:
        return padded, lengths
    padded = padded.index_select(0 if batch_first else 1, unsorted_indices)
    return padded, lengths[unsorted_indices.cpu()]


@composite("_pad_packed_sequence")
def _pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length):
    sizes = batch_sizes.tolist()
    rows = []
    for part in data.split(sizes):
        missing = sizes[0] - part.shape[0]
        if missing:
            filler = part.new_full((missing, *part.shape[1:]), padding_value)
            part = call("cat", ([part, filler],), {})
        rows.append(part)
    rows += [rows[0].new_full(rows[0].shape, padding_value)] * (total_length - len(sizes))
    padded = call("stack", (rows,), {})
    lengths = tensor([sum(size > i for size in sizes) for i in range(sizes[0])])
    return (padded.transpose(0, 1) if batch_first else padded), lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    return _pad_sequence(list(sequences), batch_first, padding_value, padding_side)


@composite("pad_sequence")
def _pad_sequence(sequences, batch_first, padding_value, padding_side):
    longest = max(sequence.shape[0] for sequence in sequences)
    rows = []
    for sequence in sequences:
        missing = longest - sequence.shape[0]
        filler = sequence.new_full((missing, *sequence.shape[1:]), padding_value)
        parts = [sequence, filler] if padding_side == "right" else [filler, sequence]
        rows.append(call("cat", (parts,), {}) if missing else sequence)
    return call("stack", (rows,), {"dim": 0 if batch_first else 1})


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        # In place, as PyTorch does: the caller's tensor is turned too.
        padded_sequences.transpose_(0, 1)
    places = call("arange", (padded_sequences.shape[1],), {})
    rows = zip(padded_sequences.unbind(0), lengths.unbind(0))
    return [row[places < length] for row, length in rows]


def pack_sequence(sequences, enforce_sorted=True):
    lengths = as_tensor([sequence.shape[0] for sequence in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
