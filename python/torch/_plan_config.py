"""A config object for a model whose file defines none: its fields are made up as the model asks for them."""

import ast
import dis
import functools
import inspect
import re
import sys
import types

from ._plan_names import made_up
from ._plan_project import project_value
from ._syntax import choices_of, choices_of_items, tree_of

NAMES = (
    "config",
    "cfg",
    "args",
    "conf",
    "params",
    "hparams",
    "model_args",
    "configs",
    "opt",
    "opts",
    "hp",
    "hyperparams",
    "options",
    "hps",
)


def is_config(name):
    return name in NAMES or name.endswith(("_config", "_cfg", "_args"))


class Fields:
    """What was made up for one config object, however often the model copies it."""

    def __init__(self, known, by_project):
        self.made = dict(known)
        # Names of what nothing told of.
        self.wild = []
        self.by_project = by_project
        # Whether `name in config` was asked.
        self.is_searched = False
        # Whether `config.get(name)` was called.
        self.is_got = False

    def value(self, name, frame):
        """The value of a field that is asked for at `frame`."""
        if name not in self.made:
            self.made[name] = self._found(name, frame)
        return self.made[name]

    def _found(self, name, frame):
        if self.by_project and (found := project_value(name, frame.f_code.co_filename)) is not None:
            return found[0]
        choices = compared_choices(frame.f_code.co_filename, name)
        if words := choices_of_items(
            tree_of(frame.f_code.co_filename), lambda it: _last_part(it) == name
        ):
            return words
        try:
            value = made_up(name)
            if value is False and _may_be_none(frame.f_code.co_filename, name):
                return None
            return value if not choices or value in choices or type(value) is bool else choices[0]
        except LookupError:
            pass
        if is_config(name):
            return _new(_Guessed, {}, self.by_project)
        if _has_keys(frame.f_code.co_filename, name):
            return _new(_GuessedDict, {}, self.by_project)
        if choices:
            return choices[0]
        if (found := project_value(name, frame.f_code.co_filename)) is not None:
            return found[0]
        self.wild.append(name)
        return WILD


# Where neither the name nor a use tells.
WILD = 4


def guessed_config(cls, name, known, by_project=False):
    """`known`: fields that were given. A dict where the class takes `name["field"]`, else an object."""
    try:
        source = inspect.getsource(sys.modules[cls.__module__])
    except (OSError, TypeError, KeyError):
        source = ""
    kind = _GuessedDict if re.search(rf"\b{re.escape(name)}\[", source) else _Guessed
    return _new(kind, known, by_project)


def _new(kind, known, by_project):
    # A class of its own, so that all copies of the object find the same fields.
    made = type(kind.__name__, (kind,), {"_fields_": Fields(known, by_project)})
    return made(**known)


class _Guessed(types.SimpleNamespace):
    def __getattr__(self, name):
        # `getattr` with a default and `hasattr` get what they would get of an object without the field.
        frame = sys._getframe(1)
        if name.startswith("__") or not _is_plain_access(frame):
            raise AttributeError(name)
        value = type(self)._fields_.value(name, frame)
        setattr(self, name, value)
        return value

    def __contains__(self, name):
        type(self)._fields_.is_searched = True
        return name in vars(self)

    def get(self, name, default=None):
        type(self)._fields_.is_got = True
        return vars(self).get(name, default)


class _GuessedDict(dict):
    def __missing__(self, name):
        self[name] = type(self)._fields_.value(str(name), sys._getframe(1))
        return self[name]


def is_guess(value):
    return isinstance(value, (_Guessed, _GuessedDict))


def fields_of(guess):
    """Its fields by name, and those of configs in it."""
    found = {}
    for name, value in type(guess)._fields_.made.items():
        found |= fields_of(value) if is_guess(value) else {name: (guess, value)}
    return found


def wild_fields(guess):
    own = type(guess)._fields_
    inner = [wild_fields(it) for it in own.made.values() if is_guess(it)]
    return [*own.wild, *(name for names in inner for name in names)]


def anew(guess):
    """The same config as the constructor has not seen it yet."""
    made = type(guess)._fields_.made
    for name, value in made.items():
        made[name] = anew(value) if is_guess(value) else value
    return type(guess)(**made)


def change(guess, name, value):
    type(guess)._fields_.made[name] = value


def text_of(guess):
    made = type(guess)._fields_.made.items()
    if isinstance(guess, dict):
        return "{" + ", ".join(f"{name!r}: {_text(value)}" for name, value in made) + "}"
    kind = _WITH_GET if type(guess)._fields_.is_got else _kind_of(guess)
    return f"{kind}({', '.join(f'{name}={_text(value)}' for name, value in made)})"


def _kind_of(guess):
    """The class that holds its fields: one of the standard library's, of which `in` can be asked where it was."""
    fields = type(guess)._fields_
    return "Namespace" if fields.is_searched or fields.is_got else "SimpleNamespace"


# A namespace that is asked as a dict is too.
_WITH_GET = 'type("Settings", (Namespace,), {"get": lambda self, *it: vars(self).get(*it)})'


def uses(guess):
    """The lines that a script imports for it."""
    inner = [uses(it) for it in type(guess)._fields_.made.values() if is_guess(it)]
    kind = _kind_of(guess)
    line = f"from {_HOMES[kind]} import {kind}"
    return {*([] if isinstance(guess, dict) else [line]), *(it for lines in inner for it in lines)}


_HOMES = {"SimpleNamespace": "types", "Namespace": "argparse"}


def _text(value):
    return text_of(value) if is_guess(value) else repr(value)


def _is_plain_access(frame):
    """Whether the frame is at `object.field`, not in a call of `getattr`."""
    at = frame.f_lasti
    instruction = next((it for it in dis.get_instructions(frame.f_code) if it.offset == at), None)
    return instruction is not None and instruction.opname.startswith("LOAD_ATTR")


@functools.lru_cache(maxsize=64)
def _comparisons(file):
    return [it for it in ast.walk(tree_of(file)) if isinstance(it, ast.Compare)]


@functools.lru_cache(maxsize=64)
def _has_keys(file, name):
    """Whether a file says `…["name"]["key"]`."""
    subscripts = [it for it in ast.walk(tree_of(file)) if isinstance(it, ast.Subscript)]
    return any(
        isinstance(it.value, ast.Subscript)
        and getattr(it.value.slice, "value", None) == name
        and isinstance(getattr(it.slice, "value", None), str)
        for it in subscripts
    )


def compared_choices(file, name):
    """What a file compares something of that name with, where it is one of several."""
    return choices_of(_comparisons(file), lambda it: _last_part(it) == name)


def _may_be_none(file, name):
    """Whether a file asks of something of that name whether it is None."""
    asked = (it for it in _comparisons(file) if isinstance(it.ops[0], (ast.Is, ast.IsNot)))
    nones = (it for it in asked if getattr(it.comparators[0], "value", 0) is None)
    return any(_last_part(it.left) == name for it in nones)


def _last_part(node):
    """`field` of `config.field`, `config["field"]`, `config.field.lower()` and `field`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    if isinstance(node, ast.Subscript):
        return getattr(node.slice, "value", None)
    return getattr(node, "attr", getattr(node, "id", None))
