"""torch.vmap: a function on each slice of what it is given, one after the other."""

from . import _call
from ._call import call, composite
from ._host import host
from ._mapped import refuse
from ._unsupported import unsupported

_RANDOMNESS = ("error", "different", "same")


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """`func` on each slice, one after the other, and the results stacked."""

    @composite("vmap")
    def mapped(*args, **kwargs):
        if randomness not in _RANDOMNESS:
            raise RuntimeError(
                "Only allowed values for randomness are 'error', 'different', or 'same'. "
                f"Got {randomness}"
            )
        dims = in_dims if isinstance(in_dims, (tuple, list)) else [in_dims] * len(args)
        sizes = list(_sizes_of(args, dims)) + list(_sizes_of(kwargs, 0))
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, "
                f"got sizes {sizes} for the mapped dimension"
            )
        name = getattr(func, "__name__", func)
        if not sizes:
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got no input that is mapped over"
            )
        mapping = Mapping(sizes[0], randomness)
        results = []
        for i in range(sizes[0]):
            given = [mapping.slice(arg, dim, i) for arg, dim in zip(args, dims)]
            named = {key: mapping.slice(arg, 0, i) for key, arg in kwargs.items()}
            results.append(mapping.run(func, given, named))
        _need_tensors(results[0], out_dims, name)
        return mapping.left(_stacked(results, out_dims))

    return mapped


class Mapping:
    """One vmap that is running: it sees every torch call, and knows what is mapped over.

    `Tensor._mapped` has a bit for each mapping that a tensor is sliced by.
    """

    def __init__(self, size, randomness):
        self.size = size
        self.randomness = randomness
        self.outer = _call.watch
        self.bit = 1 if self.outer is None else self.outer.__self__.bit << 1
        self.state = host.rng_state(0) if randomness == "same" else None
        # Tensors with smaller ids were made before the first slice.
        self.first_id = None

    def slice(self, value, dim, i):
        if dim is None:
            return value
        children = _children_of(value, dim)
        if children is not None:
            return _nest_like(value, [self.slice(child, own, i) for child, own in children])
        if not hasattr(value, "_id"):
            return value
        made = value.select(dim, i)
        made._mapped |= self.bit
        if self.first_id is None:
            self.first_id = made._id
        return made

    def run(self, func, args, kwargs):
        if self.state is not None:
            host.set_rng_state(0, self.state)
        _call.watch = self.see
        try:
            return func(*args, **kwargs)
        finally:
            _call.watch = self.outer

    def left(self, result):
        for tensor in _tensors_in(result):
            tensor._mapped &= ~self.bit
        return result

    def see(self, name, args, kwargs, is_method):
        """Runs a torch call: what it gives is mapped over where one of its arguments is."""
        refuse(self, name.split(":")[0].split(".")[-1], args, kwargs)
        over = 0
        for tensor in _tensors_in((args, kwargs)):
            over |= tensor._mapped
        before = host.rng_mark(0)
        _call.watch = None
        try:
            made = call(name, args, kwargs, is_method)
        finally:
            _call.watch = self.see
        if host.rng_mark(0) != before:
            self._refuse_draw()
        for tensor in _tensors_in(made):
            tensor._mapped |= over
            tensor._is_seen = True
        return made

    def _refuse_draw(self):
        if self.randomness == "error":
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the "
                "'same' or 'different' randomness flags on vmap or perform the randomness operation "
                "out of vmap"
            )
        if self.randomness == "different" and self.size > 1:
            raise unsupported("A random call within vmap(randomness='different')")

    def is_one_for_all(self, tensor):
        """Whether one tensor stands for all slices, of which this mapping has several."""
        is_known = tensor._is_seen or tensor._id < self.first_id
        return is_known and not tensor._mapped & self.bit


def _tensors_in(value):
    if hasattr(value, "_id"):
        yield value
    elif isinstance(value, dict):
        yield from _tensors_in(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors_in(item)


def _need_tensors(result, out_dims, name):
    if out_dims is None:
        return
    outputs = result if isinstance(result, tuple) else (result,)
    for output in outputs:
        children = _children_of(output, None)
        if children is not None:
            _need_tensors(tuple(child for child, _ in children), out_dims, name)
        elif not hasattr(output, "_id"):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(output)}. "
                "Did you mean to set out_dims= to None for output?"
            )


def _children_of(value, dim):
    """What a dict, list or tuple holds, each with the axis that it is mapped over; None: no nest."""
    if isinstance(value, dict):
        return [(value[key], dim[key] if isinstance(dim, dict) else dim) for key in value]
    if isinstance(value, (list, tuple)):
        dims = dim if isinstance(dim, (list, tuple)) else [dim] * len(value)
        return list(zip(value, dims))
    return None


def _sizes_of(value, dim):
    """Sizes of the axes that are mapped over, of each tensor."""
    children = None if dim is None else _children_of(value, dim)
    if children is not None:
        for child, own in children:
            yield from _sizes_of(child, own)
    elif dim is not None and hasattr(value, "_id"):
        yield value.shape[dim]


def _stacked(results, dim):
    children = _children_of(results[0], dim)
    if children is None:
        if dim is None or not hasattr(results[0], "_id"):
            return results[0]
        return call("stack", (results,), {"dim": dim})
    parts = zip(*([child for child, _ in _children_of(one, dim)] for one in results))
    return _nest_like(
        results[0], [_stacked(list(part), own) for part, (_, own) in zip(parts, children)]
    )


def _nest_like(value, items):
    if isinstance(value, dict):
        return type(value)(zip(value, items))
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
