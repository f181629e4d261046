"""Numbers written at places that count through all elements."""

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
    kept = [index, source] if source.requires_grad else [index]
    return call("keeping", (written.reshape(input.shape), kept), {})


def expose(namespace, tensor_class):
    namespace.setdefault("put", put)
    for function in (put, put_):
        setattr(tensor_class, function.__name__, function)
