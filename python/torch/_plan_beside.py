"""Classes in the files beside the model's own."""

import importlib
import pathlib
import re

from .nn.modules.module import Module


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
