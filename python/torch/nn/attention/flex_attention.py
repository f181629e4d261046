"""Attention whose logits and mask are functions of the indices, evaluated on grids of them.

`score_mod(score, b, h, q_idx, kv_idx)` and `mask_mod(b, h, q_idx, kv_idx)` are written for single
indices; here they get all at once, as tensors that broadcast.
"""

import math
from collections.abc import Callable

from ..._call import call, composite
from ..._dtypes import bool as torch_bool
from ..._tensor import Tensor

_score_mod_signature = _mask_mod_signature = Callable[..., Tensor]

__all__ = [
    "AuxOutput",
    "AuxRequest",
    "BlockMask",
    "and_masks",
    "create_block_mask",
    "create_mask",
    "create_nested_block_mask",
    "flex_attention",
    "noop_mask",
    "or_masks",
]


def noop_mask(batch, head, token_q, token_kv):
    return call("ones", ((),), {"dtype": torch_bool})


def and_masks(*mask_mods):
    def mask_mod(b, h, q_idx, kv_idx):
        result = b.new_ones((), dtype=torch_bool)
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result

    return mask_mod


def or_masks(*mask_mods):
    def mask_mod(b, h, q_idx, kv_idx):
        result = b.new_zeros((), dtype=torch_bool)
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result

    return mask_mod


def _grid(*sizes):
    """An index tensor for each axis, of size 1 along the others."""
    grids = []
    for axis, size in enumerate(sizes):
        shape = [1] * len(sizes)
        shape[axis] = size
        grids.append(call("arange", (size,), {}).view(shape))
    return grids


class BlockMask:
    """A mask function and the sizes that it is for. There are no blocks: everything is computed."""

    def __init__(self, seq_lengths, mask_mod, shape=(1, 1), block_size=(128, 128)):
        self.seq_lengths = seq_lengths
        self.mask_mod = mask_mod
        self.BLOCK_SIZE = block_size
        self._outer = shape

    @property
    def shape(self):
        return (*self._outer, *self.seq_lengths)

    def to(self, device):
        return self

    def to_dense(self):
        return create_mask(self.mask_mod, *self.shape)

    def __getitem__(self, index):
        return self


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device="cpu"):  # noqa: N803
    mask = mod_fn(*_grid(B or 1, H or 1, Q_LEN, KV_LEN))
    return mask.expand(B or 1, H or 1, Q_LEN, KV_LEN)


def create_block_mask(
    mask_mod,
    B,
    H,
    Q_LEN,
    KV_LEN,
    device="cpu",
    BLOCK_SIZE=128,
    _compile=False,
    **options,  # noqa: N803
):
    size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    return BlockMask((Q_LEN, KV_LEN), mask_mod, (B or 1, H or 1), size)


def create_nested_block_mask(*args, **kwargs):
    from ..._unsupported import unsupported

    raise unsupported("torch.nn.attention.flex_attention.create_nested_block_mask")


class AuxRequest:
    def __init__(self, lse=False, max_scores=False):
        self.lse = lse
        self.max_scores = max_scores


class AuxOutput:
    def __init__(self, lse=None, max_scores=None):
        self.lse = lse
        self.max_scores = max_scores


@composite("flex_attention")
def _attend(query, key, value, score_mod, mask_mod, scale, return_lse):
    batch, heads, queries, width = query.shape
    keys = key.shape[-2]
    scale = 1.0 / math.sqrt(width) if scale is None else scale
    scores = (query @ key.transpose(-2, -1)) * scale
    grids = _grid(batch, heads, queries, keys)
    if score_mod is not None:
        scores = score_mod(scores, *grids).to(query.dtype)
    if mask_mod is not None:
        mask = mask_mod(*grids).expand(batch, heads, queries, keys)
        scores = scores.masked_fill(~mask, -math.inf)
    # A query that sees no key gets zeros.
    weights = scores.softmax(-1)
    if mask_mod is not None:
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    output = weights @ value
    return (output, scores.logsumexp(-1)) if return_lse else output


def flex_attention(
    query,
    key,
    value,
    score_mod=None,
    block_mask=None,
    scale=None,
    enable_gqa=False,
    return_lse=False,
    kernel_options=None,
    *,
    return_aux=None,
):
    if not all(isinstance(x, Tensor) and x.dim() == 4 for x in (query, key, value)):
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    if enable_gqa and query.shape[1] != key.shape[1]:
        times = query.shape[1] // key.shape[1]
        key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
    elif query.shape[1] != key.shape[1]:
        raise ValueError(
            "Expect query and key/value to have the same number of heads but got "
            f"Hq={query.shape[1]} and "
            f"Hkv={key.shape[1]}. Try setting enable_gqa=True for GQA."
        )
    mask_mod = None if block_mask is None else block_mask.mask_mod
    wants_lse = return_lse or (return_aux is not None and return_aux.lse)
    result = _attend(query, key, value, score_mod, mask_mod, scale, wants_lse)
    if return_aux is None:
        return result
    return (result[0], AuxOutput(lse=result[1])) if wants_lse else (result, AuxOutput())
