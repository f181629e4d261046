"""Rows of tables whose norms are limited, or whose gradients are shared out."""

from ..._call import call, composite
from ..._dtypes import bool as bool_, int32, int64
from ..._grad_mode import no_grad

__all__ = ["embedding", "embedding_bag"]


def embedding(
    input,
    weight,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
):
    if max_norm is None and not scale_grad_by_freq:
        return call("embedding", (input, weight, padding_idx), {})
    options = max_norm, norm_type, scale_grad_by_freq
    made = _limited_embedding(input, weight, padding_idx, *options)
    refuses = sparse and scale_grad_by_freq and weight.requires_grad
    return _without_sparse_shares(made) if refuses else made


@composite("embedding")
def _limited_embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq):
    if max_norm is not None:
        _limit_rows(weight, input, max_norm, norm_type)
    table = _shared_by_use(weight, input) if scale_grad_by_freq else weight
    return call("embedding", (input, table, padding_idx), {})


def _limit_rows(weight, input, max_norm, norm_type):
    """Scales the rows that are looked up, in place, where their norm is above the limit."""
    _need_rows(weight, input)
    with no_grad():
        table = weight.detach()
        is_used = table.new_zeros(table.shape[0], dtype=bool_)
        is_used = is_used.index_fill(0, input.reshape(-1).to(int64), True).unsqueeze(-1)
        norms = table.norm(norm_type, dim=-1, keepdim=True)
        scale = (max_norm / (norms + 1e-7)).masked_fill(~(is_used & (norms > max_norm)), 1.0)
        table.mul_(scale)


def _need_rows(weight, input):
    asked = "(while checking arguments for embedding_renorm_)"
    if weight.dim() != 2:
        raise RuntimeError(
            f"Expected 2-dimensional tensor, but got {weight.dim()}-dimensional tensor for "
            f"argument #1 'self' {asked}"
        )
    if input.dtype not in (int32, int64):
        raise RuntimeError(
            "Expected tensor for argument #2 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {input.type()} instead {asked}"
        )


def _shared_by_use(weight, input):
    """The same numbers, whose gradient is divided by how often each row is looked up."""
    places = input.reshape(-1).to(int64)
    uses = weight.detach().new_zeros(weight.shape[0])
    uses = uses.scatter_add(0, places, uses.new_ones(places.shape))
    kept = weight.detach()
    return kept + (weight - kept) / uses.clamp(min=1).unsqueeze(-1)


def _without_sparse_shares(made):
    message = "embedding_backward: scale_grad_by_freq not supported with sparse gradients"
    return call("refusing_backward", (made, message), {})


def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    options = {
        "mode": mode,
        "per_sample_weights": per_sample_weights,
        "include_last_offset": include_last_offset,
        "padding_idx": padding_idx,
    }
    if max_norm is None and not scale_grad_by_freq and mode != "max":
        return call("embedding_bag", (input, weight, offsets), options)
    # PyTorch takes the table first too.
    if input.is_floating_point() and weight.dtype is int64:
        input, weight = weight, input
    limits = max_norm, norm_type, scale_grad_by_freq
    made = _limited_bag(input, weight, offsets, *limits, options)
    refuses = sparse and scale_grad_by_freq and weight.requires_grad
    return _without_sparse_shares(made) if refuses else made


@composite("embedding_bag")
def _limited_bag(input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, options):
    if max_norm is not None:
        _limit_rows(weight, input, max_norm, norm_type)
    if options["mode"] == "max":
        if scale_grad_by_freq:
            raise ValueError("max mode does not support scaling the gradient by the frequency")
        largest = _largest_of_bags(input.contiguous(), weight, offsets, options)
        return call("keeping", (largest, _kept(input, offsets)), {})
    table = _shared_by_use(weight, input) if scale_grad_by_freq else weight
    return call("embedding_bag", (input, table, offsets), options)


def _kept(input, offsets):
    """Which numbers of rows backward needs unedited: those with gaps are copied first."""
    return [one for one in (input, offsets) if one is not None and one.is_contiguous()]


def _largest_of_bags(input, weight, offsets, options):
    """The largest of each column in every bag; zeros of an empty one."""
    if options["per_sample_weights"] is not None:
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
            "mode='sum' (got mode='max'). Please open a feature request on GitHub."
        )
    ids, is_there = _by_bags(input, offsets, options["include_last_offset"])
    padding = options["padding_idx"]
    if padding is not None:
        is_there = is_there & (ids != padding % weight.shape[0])
    if ids.shape[1] == 0:
        return weight.new_zeros(ids.shape[0], weight.shape[1])
    rows = weight[ids].masked_fill(~is_there.unsqueeze(-1), float("-inf"))
    found = rows.max(1).values
    return found.masked_fill(~is_there.any(1, keepdim=True), 0.0)


def _by_bags(input, offsets, has_end):
    """Row numbers [bags, longest], and which of them are there."""
    if input.dim() == 2:
        return input, input.new_ones(input.shape, dtype=bool_)
    starts = offsets.tolist()
    starts, ends = (starts[:-1], starts[1:]) if has_end else (starts, [*starts[1:], len(input)])
    longest = max((end - start for start, end in zip(starts, ends)), default=0)
    steps = call("arange", (longest,), {})
    first, last = (input.new_tensor(it, dtype=int64).unsqueeze(1) for it in (starts, ends))
    places = first + steps
    is_there = places < last
    return input[places.masked_fill(~is_there, 0)], is_there
