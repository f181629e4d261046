"""Which keys a query sees, without a matrix of it: `materialize` gives 0 for those, and -inf for others."""

import torch

__all__ = [
    "AttentionBias",
    "BlockDiagonalCausalMask",
    "BlockDiagonalMask",
    "LowerTriangularFromBottomRightMask",
    "LowerTriangularMask",
    "LowerTriangularMaskWithTensorBias",
]


class AttentionBias:
    def seen(self, queries, keys, device):
        """[queries, keys], bool."""
        raise NotImplementedError

    def materialize(self, shape, dtype=torch.float32, device="cpu"):
        hidden = torch.zeros(shape[-2:], dtype=dtype, device=device)
        hidden = hidden.masked_fill(~self.seen(*shape[-2:], device), float("-inf"))
        return hidden.expand(*shape) if len(shape) > 2 else hidden


class LowerTriangularMask(AttentionBias):
    """Those up to the query's own place, counted from the first key."""

    def __init__(self, *_args, **_options):
        pass

    def seen(self, queries, keys, device):
        return torch.ones(queries, keys, dtype=torch.bool, device=device).tril()

    def add_bias(self, bias):
        return LowerTriangularMaskWithTensorBias(bias)


class LowerTriangularFromBottomRightMask(LowerTriangularMask):
    """Those up to the query's own place, counted from the last key."""

    def seen(self, queries, keys, device):
        return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)


class LowerTriangularMaskWithTensorBias(LowerTriangularMask):
    def __init__(self, bias):
        self.bias = bias

    def materialize(self, shape, dtype=torch.float32, device="cpu"):
        return super().materialize(shape, dtype, device) + self.bias


class BlockDiagonalMask(AttentionBias):
    """Sequences one after another, each of which sees itself."""

    def __init__(self, lengths, lengths_of_keys, is_causal=False):
        self._lengths, self._lengths_of_keys, self._is_causal = lengths, lengths_of_keys, is_causal

    @classmethod
    def from_seqlens(cls, q_seqlen, kv_seqlen=None, *, device=None):
        keys = q_seqlen if kv_seqlen is None else kv_seqlen
        return cls([int(it) for it in q_seqlen], [int(it) for it in keys])

    @classmethod
    def from_tensor_list(cls, tensors):
        """The mask of tensors [batch, length, ...] side by side, and [1, all, ...] of them."""
        lengths = [it.shape[1] for it in tensors for _ in range(it.shape[0])]
        joined = torch.cat([it.reshape(1, -1, *it.shape[2:]) for it in tensors], dim=1)
        mask = cls.from_seqlens(lengths)
        mask._sizes = [it.shape[0] for it in tensors]
        return mask, joined

    def split(self, tensor):
        """What from_tensor_list has joined."""
        found, at = [], 0
        for size in self._sizes:
            length = sum(self._lengths[at : at + size])
            at += size
            before = sum(self._lengths[: at - size])
            found.append(tensor[:, before : before + length].reshape(size, -1, *tensor.shape[2:]))
        return found

    def make_causal(self):
        return BlockDiagonalCausalMask(self._lengths, self._lengths_of_keys)

    def seen(self, queries, keys, device):
        rows, columns = (_numbered(it, device) for it in (self._lengths, self._lengths_of_keys))
        seen = rows[0][:, None] == columns[0]
        return seen & (rows[1][:, None] >= columns[1]) if self._is_causal else seen


class BlockDiagonalCausalMask(BlockDiagonalMask):
    """Each sees its places up to the query's own."""

    def __init__(self, lengths, lengths_of_keys):
        super().__init__(lengths, lengths_of_keys, True)


def _numbered(lengths, device):
    """For each place, the number of its sequence, and of the place in it."""
    sequence = torch.cat(
        [torch.full((size,), at, device=device) for at, size in enumerate(lengths)]
    )
    return sequence, torch.cat([torch.arange(size, device=device) for size in lengths])
