"""Classes that carry an argument's name: in the model's own file, and in those beside it."""

import importlib
import pathlib
import re

from ._plan_calls import takes
from .nn.modules.module import Module


def user_module(value):
    """The value, where it is a class of modules that is not PyTorch's; else None."""
    is_one = isinstance(value, type) and issubclass(value, Module)
    return value if is_one and not value.__module__.startswith("torch.") else None


def own_class(module, cls, part, keywords=frozenset()):
    """A class of the file that carries the argument's name in its own, and takes what it is called with."""
    plain = part.replace("_", "").rstrip("s")
    found = [it for it in map(user_module, vars(module).values()) if it not in (None, cls)]
    named = [it for it in found if plain in it.__name__.lower() and takes(it, keywords)]
    if named:
        # Of a Decoder's `layers` a DecoderLayer, and no LayerNorm.
        return min(
            named, key=lambda it: _distance(it.__name__.lower(), plain, cls.__name__.lower())
        )
    if plain == "block":
        return own_class(module, cls, "bottleneck", keywords)
    return None


def _distance(name, plain, owner):
    """How far a class's name is from what an argument of the owner is called."""
    return name != plain, not (name.startswith(owner) and name.endswith(plain))


def class_with(module, cls, methods):
    """The first class that has all of the methods, of the file or of one beside it; None where none has."""
    for own in vars(module).values():
        if own is not cls and user_module(own) and all(hasattr(own, it) for it in methods):
            return own
    defined = [re.compile(rf"^    def {it}\(", re.MULTILINE) for it in methods]
    for part, text in _files_beside(module):
        if not all(it.search(text) for it in defined):
            continue
        found = (_imported(part, it) for it in _CLASS.findall(text))
        for own in found:
            if own is not None and all(it in vars(own) for it in methods):
                return own
    return None


def class_beside(module, name):
    """The class of that name in a file beside the model's own."""
    plain = name.replace("_", "")
    for part, text in _files_beside(module):
        for found in _CLASS.findall(text):
            if found.lower() == plain:
                return _imported(part, found)
    return None


_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


def _files_beside(module):
    """(name to import, text) of the files beside the model's own."""
    file = pathlib.Path(getattr(module, "__file__", ""))
    package = module.__name__.rpartition(".")[0]
    for path in sorted(file.parent.glob("*.py")):
        if path == file:
            continue
        try:
            yield (f"{package}.{path.stem}" if package else path.stem), path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue


def _imported(module, name):
    try:
        value = getattr(importlib.import_module(module), name)
    except Exception:
        return None
    return value if isinstance(value, type) and issubclass(value, Module) else None
