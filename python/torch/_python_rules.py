"""Calls that the host leaves to Python: it has no rule of its own for arguments like these."""

from . import (
    _complex_curves,
    _complex_factors,
    _complex_parts,
    _complex_rules,
    _complex_statistics,
    _factor_rules,
)
from ._call import call, composite
from ._complex_refusals import refusal
from ._dtypes import cpp_name
from ._grad_functions import name_of
from ._outs import write

# PyTorch computes these of complex numbers, and has no gradient.
_WITHOUT_GRADIENT = {
    "bilinear": "_trilinear",
    "embedding": "embedding",
    "scatter_reduce": "scatter_reduce",
    "silu": "silu",
}

_RULES = {
    name: rule
    for module in (
        _complex_factors,
        _complex_parts,
        _complex_rules,
        _complex_curves,
        _complex_statistics,
        _factor_rules,
    )
    for name, rule in module.RULES.items()
}


def run(key, args, kwargs, told):
    """`key` is the host's name of the call, with an underscore where it edits its first argument.

    `told` has, after a word, the ids of arguments and the names of results that PyTorch keeps.
    """
    _, ids, results = told.split(" ")
    kwargs = {name: arg for name, arg in kwargs.items() if name != "device"}
    key, _, shown = key.partition(":")
    edits = key not in _RULES and key.endswith("_")
    name = key[:-1] if edits else key
    rule = _RULES.get(name)
    if rule is None:
        raise refusal(name, args, kwargs)
    out = kwargs.pop("out", None)
    if out is not None:
        if name == "prod":
            kwargs.setdefault("dtype", out.dtype)
        return write(shown or name, rule(*args, **kwargs), out)
    given = list(_tensors((args, tuple(kwargs.values()))))
    if edits:
        # PyTorch keeps a copy of what it edits.
        given = [tensor for tensor in given if tensor is not args[0]]
    kept = [tensor for tensor in given if str(tensor._id) in ids.split(",")]

    @composite(shown or key)
    def written(*args, **kwargs):
        made = rule(args[0].clone(), *args[1:], **kwargs) if edits else rule(*args, **kwargs)
        if name in _WITHOUT_GRADIENT and made.requires_grad:
            raise NotImplementedError(
                f"{_WITHOUT_GRADIENT[name]} does not support automatic differentiation for outputs "
                "with complex dtype."
            )
        if edits:
            made = _overwrite(args[0], _without_slope(name, made))
        return _keeping(made, kept, results.split(","), edits)

    made = written(*args, **kwargs)
    for tensor in made if isinstance(made, tuple) else (made,):
        if all(tensor is not one for one in given):
            tensor._maker = name_of(shown or key, args, kwargs)
    return made


def _without_slope(name, made):
    """What is written in place: of some functions PyTorch has a derivative elsewhere alone."""
    native = name.removeprefix("arc" if name.startswith("arc") else "a")
    if native not in ("cosh", "sinh", "tanh") or native == name:
        return made
    message = f"the derivative for 'inplace version of a{native}' is not implemented."
    return call("refusing_backward", (made, message, None, True), {})


def _overwrite(target, made):
    if made.is_complex() and not target.is_complex():
        raise RuntimeError(
            f"result type {cpp_name(made.dtype)} can't be cast to the desired output type "
            f"{cpp_name(target.dtype)}"
        )
    return call("copy_", (target, made), {})


def _keeping(made, kept, results, edits):
    """What was made, with what its backward pass needs unedited."""
    parts = made if isinstance(made, tuple) else (made,)
    noted = []
    for at, part in enumerate(parts):
        if part.requires_grad and not edits:
            part = call("keeping", (part, kept), {}) if kept else part
            if (f"result{at}" if part is not made and len(parts) > 1 else "result") in results:
                part = call("keeping_result", (part,), {})
        noted.append(part)
    return tuple(noted) if isinstance(made, tuple) else noted[0]


def _tensors(held):
    if hasattr(held, "_id"):
        yield held
    elif isinstance(held, (tuple, list)):
        for item in held:
            yield from _tensors(item)
