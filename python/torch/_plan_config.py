"""A config object for a model whose file defines none: its fields are made up as the model asks for them."""

import dis
import inspect
import re
import sys
import types

from ._plan_names import made_up

NAMES = (
    "config", "cfg", "args", "conf", "params", "hparams", "model_args", "configs", "opt", "opts",
    "hp", "hyperparams", "options", "hps",
)


def is_config(name):
    return name in NAMES or name.endswith(("_config", "_cfg", "_args"))


def guessed_config(cls, name, known):
    """`known`: fields that were given. A dict where the class takes `name["field"]`, else an object."""
    try:
        source = inspect.getsource(sys.modules[cls.__module__])
    except (OSError, TypeError, KeyError):
        source = ""
    kind = _GuessedDict if re.search(rf"\b{re.escape(name)}\[", source) else _Guessed
    return kind(**known)


class GuessError(Exception):
    """The model asked for a field that no value can be made up for."""

    def __init__(self, field):
        super().__init__(field)
        self.field = field


class _Guessed(types.SimpleNamespace):
    def __getattr__(self, name):
        # `getattr` with a default and `hasattr` get what they would get of an object without the field.
        if name.startswith("__") or not _is_plain_access(sys._getframe(1)):
            raise AttributeError(name)
        value = _field(name)
        setattr(self, name, value)
        return value

    def text(self):
        fields = ", ".join(f"{name}={_text(value)}" for name, value in vars(self).items())
        return f"SimpleNamespace({fields})"

    def uses(self):
        return "from types import SimpleNamespace"


class _GuessedDict(dict):
    def __missing__(self, name):
        self[name] = _field(name)
        return self[name]

    def text(self):
        return "{" + ", ".join(f"{name!r}: {_text(value)}" for name, value in self.items()) + "}"

    def uses(self):
        return None


def is_guess(value):
    return isinstance(value, (_Guessed, _GuessedDict))


def _field(name):
    try:
        return made_up(str(name))
    except LookupError:
        pass
    if is_config(str(name)):
        return _Guessed()
    raise GuessError(str(name))


def _text(value):
    return value.text() if isinstance(value, (_Guessed, _GuessedDict)) else repr(value)


def _is_plain_access(frame):
    """Whether the frame is at `object.field`, not in a call of `getattr`."""
    at = frame.f_lasti
    instruction = next((it for it in dis.get_instructions(frame.f_code) if it.offset == at), None)
    return instruction is not None and instruction.opname.startswith("LOAD_ATTR")
