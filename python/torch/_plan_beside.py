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


def class_beside(module, name):
    """The class of that name in a file beside the model's own."""
    plain = name.replace("_", "")
    file = pathlib.Path(getattr(module, "__file__", ""))
    package = module.__name__.rpartition(".")[0]
    for path in sorted(file.parent.glob("*.py")):
        try:
            names = re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        except (OSError, UnicodeDecodeError):
            continue
        for found in names:
            if path != file and found.lower() == plain:
                return _imported(f"{package}.{path.stem}" if package else path.stem, found)
    return None


def _imported(module, name):
    try:
        value = getattr(importlib.import_module(module), name)
    except Exception:
        return None
    return value if isinstance(value, type) and issubclass(value, Module) else None
