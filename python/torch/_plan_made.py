"""A class, a module or a text for a constructor argument that nobody gave, by its uses in the class."""

import enum
import functools
import inspect
import sys
import typing

from ._plan_beside import class_beside, class_with, own_class, user_module
from ._plan_calls import keywords_given
from ._plan_names import made_up
from ._plan_usage import Made, usage_of
from ._plan_wrapped import class_handed

_FROM_NN = "from torch import nn"


def made_of_use(module, cls, usage, name, annotation, depth=0):
    """A class, a module or a text for the argument; None where its uses do not ask for one."""
    kind = _name_of(annotation)
    asked = _module_class(module, annotation) or usage.asserted_class(module, name)
    if asked is not None:
        return _of_class(module, asked) or _nothing(usage, name)
    if usage.is_spread(name):
        return {}
    if kind == "Module":
        return _module(module, cls, usage, name)
    if kind == "Embedding":
        return _table()
    if usage.is_name_within(name, "nn"):
        return "LayerNorm" if "norm" in name.lower() else "GELU"
    if methods := usage.own_methods(name):
        with_them = class_with(module, cls, methods)
        return None if with_them is None else _of_class(module, with_them)
    if usage.is_called(name) or kind in ("type", "Callable", "Type"):
        return _class(module, cls, usage, name)
    if usage.is_list_of_modules(name):
        one = _module(module, cls, usage, name)
        return Made(lambda: [one.make()], f"[{one.text}]", one.imports, one.names)
    if usage.is_kept_and_called(name):
        return _module(module, cls, usage, name)
    if (choices := usage.choices(name)) and kind in (None, type(choices[0]).__name__):
        return choices[0]
    if (words := usage.choices_of_items(name)) and kind in (None, "list", "List"):
        return words
    return _of_what_takes_it(module, cls, usage, name, depth)


def _of_what_takes_it(module, cls, usage, name, depth):
    """What another class of the project that it is handed on to makes of it: a class or a module."""
    for taker, parameter in usage.takers(module, name) if depth < _DEPTH else ():
        annotation = parameter.annotation
        used = made_of_use(module, taker, usage_of(taker), parameter.name, annotation, depth + 1)
        if isinstance(used, Made):
            return used
    return None


def default_of_taker(module, usage, name):
    """The plain default that another class of the project has for what it is handed on; None where none has one."""
    defaults = (parameter.default for _, parameter in usage.takers(module, name))
    return next((it for it in defaults if isinstance(it, (bool, int, float, str))), None)


def first_member(module, annotation):
    """The first member of the enumeration that the annotation names, or None."""
    if isinstance(annotation, str):
        annotation = functools.reduce(_part, annotation.strip("'\"").split("."), module)
    if not (isinstance(annotation, type) and issubclass(annotation, enum.Enum)):
        return None
    member, name = next(iter(annotation)), annotation.__name__
    is_known = getattr(module, name, None) is annotation
    line = f"from {annotation.__module__} import {name}"
    return Made(
        lambda: member,
        f"{name}.{member.name}",
        () if is_known else (line,),
        (name,) if is_known else (),
    )


def _part(holder, name):
    return getattr(holder, name, None)


# Of classes that hand an argument on.
_DEPTH = 3


def _module_class(module, annotation):
    """The class of the user's that the annotation asks a module of, or None."""
    if isinstance(annotation, str):
        named = (getattr(module, it.strip(" '\""), None) for it in annotation.split("|"))
    else:
        named = typing.get_args(annotation) or [annotation]
    return next(filter(None, map(user_module, named)), None)


def _name_of(annotation):
    if annotation is inspect.Parameter.empty or annotation is None:
        return None
    text = (
        annotation
        if isinstance(annotation, str)
        else getattr(annotation, "__name__", str(annotation))
    )
    return text.partition("[")[0].rpartition(".")[2]


def _class(module, cls, usage, name):
    lower = name.lower()
    if "act" in lower or "nonlin" in lower or lower in ("afn", "gate"):
        return _of_nn("GELU")
    if "norm" in lower:
        is_of_maps = usage.makes("Conv2d") and not usage.speaks_of("LayerNorm")
        return _of_nn("BatchNorm2d" if is_of_maps else "LayerNorm")
    if "conv" in lower:
        return _of_nn("Conv2d")
    own = own_class(module, cls, lower) or (
        own_class(module, cls, "block") if "block" in lower else None
    )
    if own is None:
        return _of_nn("Identity")
    return Made(lambda: own, own.__name__, (), (own.__name__,))


def _table():
    """An embedding of the vocabulary and the width that are made up."""
    from . import nn

    words, width = made_up("vocab_size"), made_up("d_model")
    text = f"nn.Embedding({words}, {width})"
    return Made(lambda: nn.Embedding(words, width), text, (_FROM_NN,))


def _of_nn(name):
    from . import nn

    return Made(lambda: getattr(nn, name), f"nn.{name}", (_FROM_NN,))


# Classes that are being made: one that takes itself ends in something else.
_making = []


def _module(module, cls, usage, name):
    if (handed := _handed(module, cls, name)) is not None:
        return handed
    keywords = keywords_given(usage.tree, name)
    own = own_class(module, cls, name.lower(), keywords) or class_beside(module, name.lower())
    is_short = len(name) < 4 and own is not None and own.__name__.lower() != name.lower()
    if own is None or not name[:1].isalpha() or is_short:
        return _nothing(usage, name)
    return _of_class(module, own) or _nothing(usage, name)


def _handed(module, cls, name):
    """A module of the class that the rest of the project hands on; None where that cannot be made."""
    from ._plan_arguments import PlanError

    own = class_handed(module, cls, name) if inspect.isclass(cls) else None
    try:
        return None if own is None else _of_class(module, own)
    except PlanError:
        return None


def _of_class(module, own):
    """A module of the class, or of the first class of the file derived from it that can be made; None where none can."""
    if inspect.isabstract(own):
        derived = (it for it in vars(sys.modules[own.__module__]).values() if _is_derived(it, own))
        return next((made for it in derived if (made := _of_class(module, it))), None)
    if own in _making:
        return None
    from ._plan_arguments import PlanError, constructed

    _making.append(own)
    try:
        _, arguments = constructed(sys.modules.get(own.__module__, module), own, {})
    except (PlanError, RecursionError):
        raise
    except Exception:
        return None
    finally:
        _making.pop()
    names = (own.__name__, *arguments.imports)
    lines = tuple(arguments.prelude)
    if own.__module__ != module.__name__:
        lines += tuple(f"from {own.__module__} import {it}" for it in names)
        names = ()
    return Made(lambda: arguments.construct(own), arguments.text(own.__name__), lines, names)


def _is_derived(value, base):
    return isinstance(value, type) and issubclass(value, base) and value is not base


def _nothing(usage, name):
    """A module that gives what it takes, the first where it takes more."""
    from . import nn

    if not usage.is_called_with_more(name):
        return Made(nn.Identity, "nn.Identity()", (_FROM_NN,))
    text = (
        'type("First", (nn.Identity,), '
        '{"forward": lambda self, *args, **kwargs: [*args, *kwargs.values()][0]})()'
    )
    return Made(lambda: eval(text, {"nn": nn}), text, (_FROM_NN,))
