"""Conversions of values to annotated types."""

import enum
import types
import typing


def constrained(kind, **limits):
    from ._fields import FieldInfo

    return typing.Annotated[kind, FieldInfo(**limits)]


def conint(**limits):
    return constrained(int, **limits)


def confloat(**limits):
    return constrained(float, **limits)


def constr(**limits):
    return constrained(str, **limits)


PositiveInt = constrained(int, gt=0)
NonNegativeInt = constrained(int, ge=0)
PositiveFloat = constrained(float, gt=0)
NonNegativeFloat = constrained(float, ge=0)
StrictInt, StrictFloat, StrictStr, StrictBool = int, float, str, bool


class Wrong(ValueError):
    """A value that its type does not take."""


def converted(value, kind):
    """The value as the annotated type; raises Wrong where it cannot be that."""
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if kind is typing.Any or isinstance(kind, (str, typing.TypeVar)):
        return value
    if origin is typing.Annotated:
        return _within(converted(value, arguments[0]), arguments[1:])
    if origin in (typing.Union, types.UnionType):
        return _of_union(value, arguments)
    if origin is typing.Literal:
        return _of_literal(value, arguments)
    if origin is not None:
        return _of_collection(value, origin, arguments)
    return _of_class(value, kind)


def _within(value, notes):
    for note in notes:
        problem = note.problem(value) if hasattr(note, "problem") else None
        if problem is not None:
            raise Wrong(problem)
    return value


def _of_union(value, kinds):
    if any(isinstance(kind, type) and type(value) is kind for kind in kinds):
        return value
    problem = None
    for kind in kinds:
        try:
            return converted(value, kind)
        except Wrong as error:
            problem = error
    raise problem


def _of_literal(value, choices):
    if value in choices:
        return value
    raise Wrong(f"Input should be {' or '.join(map(repr, choices))}")


def _of_collection(value, origin, arguments):
    if origin is dict and isinstance(value, dict):
        key, item = arguments
        return {converted(k, key): converted(v, item) for k, v in value.items()}
    if origin in (list, set, frozenset, tuple) and isinstance(value, (list, tuple, set, frozenset)):
        if origin is tuple and not (len(arguments) == 2 and arguments[1] is ...):
            if len(arguments) != len(value):
                raise Wrong(f"Input should have {len(arguments)} items, not {len(value)}")
            return tuple(converted(it, kind) for it, kind in zip(value, arguments))
        return origin(converted(it, arguments[0]) for it in value)
    if origin in (dict, list, set, frozenset, tuple):
        raise Wrong(f"Input should be a valid {origin.__name__}")
    return value


def _of_class(value, kind):
    if kind in (None, type(None)):
        if value is None:
            return None
        raise Wrong("Input should be None")
    if (
        not isinstance(kind, type)
        or isinstance(value, kind)
        and not (kind is int and type(value) is bool)
    ):
        return value
    if hasattr(kind, "model_fields") and isinstance(value, dict):
        return kind(**value)
    if issubclass(kind, enum.Enum):
        try:
            return kind(value)
        except ValueError:
            raise Wrong(
                f"Input should be one of {', '.join(repr(it.value) for it in kind)}"
            ) from None
    return _of_plain(value, kind)


def _of_plain(value, kind):
    if kind is int and (isinstance(value, bool) or isinstance(value, float) and value.is_integer()):
        return int(value)
    if kind is float and isinstance(value, (int, bool)):
        return float(value)
    if kind in (int, float) and isinstance(value, str):
        try:
            return kind(value)
        except ValueError:
            pass
    if kind is bool and value in (0, 1, "true", "false", "True", "False"):
        return value in (1, "true", "True")
    if kind in _STRICT:
        raise Wrong(f"Input should be a valid {_STRICT[kind]}")
    return value


_STRICT = {
    int: "integer",
    float: "number",
    bool: "boolean",
    str: "string",
    list: "list",
    dict: "dictionary",
}
