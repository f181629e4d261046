"""What PyTorch refuses of tensors that torch.vmap maps over, which have no numbers of their own."""

_ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
    ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error is "
    "occurring somewhere inside PyTorch internals, please file a bug report."
)
_BRANCH = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We "
    "don't support that yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
)
_MASK = (
    "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch "
    "over indexing with a boolean mask."
)
_ONE_HOT = (
    "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes "
    "argument."
)
_SELECTED = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this "
    "because for each batch this would return a differently shaped Tensor. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)
_NUMBERS = {
    "item": _ITEM,
    "bool": _BRANCH,
    "tolist": "Cannot access data pointer of Tensor that doesn't have storage",
}
# Calls whose result has a shape that hangs on the numbers, by what PyTorch calls them.
_OF_ANY_SIZE = {
    "nonzero": "nonzero",
    "unique": "_unique2",
    "unique_consecutive": "unique_consecutive",
}
_NAMED_EDITS = ("index_add_", "index_put_", "index_fill_", "scatter_add_", "fill_")
_SUMS = ("add_", "sub_")


def refuse_numbers(tensor, why):
    """Python wants the numbers of a tensor that differs from slice to slice."""
    if tensor._mapped:
        raise RuntimeError(_NUMBERS.get(why, _ITEM))


def refuse(mapping, name, args, kwargs):
    """Of one torch call, before it runs."""
    first = args[0] if args else kwargs.get("input")
    if not hasattr(first, "_id"):
        return
    if name in _OF_ANY_SIZE or (name == "where" and len(args) + len(kwargs) == 1):
        if first._mapped:
            raise _dynamic(_OF_ANY_SIZE.get(name, name))
    elif name == "masked_select":
        if first._mapped or _is_mapped(args[1:]) or _is_mapped(kwargs.values()):
            raise RuntimeError(_SELECTED)
    elif name == "one_hot":
        if first._mapped and args[1:] in ((), (-1,)) and kwargs.get("num_classes", -1) == -1:
            raise RuntimeError(_ONE_HOT)
    elif name == "__getitem__":
        if any(_is_mapped_mask(part) for part in _parts_of(args[1])):
            raise RuntimeError(_MASK)
    elif name == "__setitem__" or (name.endswith("_") and not name.endswith("__")):
        _refuse_edit(mapping, name, first, (*args[1:], *kwargs.values()))


def _refuse_edit(mapping, name, target, others):
    given = [one for one in _flat(others) if one._mapped & mapping.bit]
    if not given or not mapping.is_one_for_all(target):
        return
    if name in _SUMS:
        shape = [mapping.size, *_broadcast(target.shape, given[0].shape)]
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {shape}"
        )
    if name == "__setitem__" and any(_flat([others[0]])):
        name = "index_put_"
    call = name if name in _NAMED_EDITS else "inplace arithmetic"
    raise RuntimeError(
        f"vmap: {call}(self, *extra_args) is not possible because there exists a Tensor `other` in "
        "extra_args that has more elements than `self`. This happened due to `other` being vmapped "
        "over but `self` not being vmapped over in a vmap. Please try to use out-of-place operators "
        f"instead of {call}. If said operator is being called inside the PyTorch framework, please "
        "file a bug report instead."
    )


def _dynamic(name):
    return RuntimeError(
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap "
        f"over aten::{name}. Please file an issue at https://github.com/pytorch/pytorch/issues if you "
        "need this feature."
    )


def _broadcast(shape, other):
    rank = max(len(shape), len(other))
    padded = [(1,) * (rank - len(one)) + tuple(one) for one in (shape, other)]
    return [max(a, b) for a, b in zip(*padded)]


def _parts_of(index):
    return index if isinstance(index, (tuple, list)) else [index]


def _is_mapped_mask(part):
    return hasattr(part, "_id") and part._mapped and part.dtype.name == "bool"


def _is_mapped(values):
    return any(one._mapped for one in _flat(values))


def _flat(value):
    if hasattr(value, "_id"):
        yield value
    elif isinstance(value, (list, tuple)) or type(value).__name__ == "dict_values":
        for item in value:
            yield from _flat(item)
