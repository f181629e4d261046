"""Numbers written at places: put counts through all elements, index_reduce combines rows."""

from ._call import call, composite


@composite("put")
def put(input, index, source, accumulate=False):
    return _put(input, index, source, accumulate)


@composite("put_")
def put_(input, index, source, accumulate=False):
    return input.copy_(_put(input, index, source, accumulate))


def _put(input, index, source, accumulate):
    if index.numel() != source.numel():
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {source.numel()}, index.numel() = {index.numel()}"
        )
    flat = input.reshape(-1)
    written = call(
        "index_put", (flat, (index.reshape(-1),), source.reshape(-1)), {"accumulate": accumulate}
    )
    return written.reshape(input.shape).clone()


@composite("index_reduce")
def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    return _reduced(input, dim, index, source, reduce, include_self)


@composite("index_reduce_")
def index_reduce_(input, dim, index, source, reduce, *, include_self=True):
    return input.copy_(_reduced(input.clone(), dim, index, source, reduce, include_self))


def _reduced(input, dim, index, source, reduce, include_self):
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}."
        )
    shape = [1] * source.dim()
    shape[dim] = -1
    places = index.reshape(shape).expand(source.shape)
    options = {"include_self": include_self}
    return call("scatter_reduce", (input, dim, places, source, reduce), options)


def expose(namespace, tensor_class):
    for function in (put, index_reduce):
        namespace.setdefault(function.__name__, function)
    for function in (put, put_, index_reduce, index_reduce_):
        setattr(tensor_class, function.__name__, function)
