"""What a class is called with, and how that is written."""

import enum
import inspect
import re

from . import _plan_config as configs
from ._plan_config import is_guess
from ._plan_dataclass import OfClass, parameters_of
from ._plan_usage import Made


class Arguments:
    """What `cls(…)` is called with; a config object is built from its own fields."""

    def __init__(self, by_project=False):
        # Whether settings of the project come before sizes that are made up.
        self.by_project = by_project
        self.values = {}
        self.texts = {}
        self.imports = []
        # Texts of what nobody gave, by name.
        self.made_up = {}
        # Names of arguments that neither a name nor a use told of.
        self.wild_arguments = []
        self.uses = []

    def maker(self, cls):
        """What is called with them."""
        return cls

    def construct(self, cls):
        return self.maker(cls)(**{name: _built(it) for name, it in self.values.items()})

    def make_up(self, name, value):
        """Takes `value` for what nobody gave."""
        self.take(name, value)
        self.made_up[name] = self.texts[name]

    def take(self, name, value):
        self.values[name] = value
        self.texts[name] = "" if is_guess(value) else _text(self, value)
        if isinstance(value, Made):
            self.uses.extend(value.imports)
            self.imports.extend(it for it in value.names if it not in self.imports)

    @property
    def guesses(self):
        return {name: it for name, it in self.values.items() if is_guess(it)}

    @property
    def fields(self):
        """(config, value) of each field of a config, by name."""
        found = {}
        for it in self.values.values():
            if is_guess(it):
                found |= configs.fields_of(it)
            elif isinstance(it, OfClass):
                found |= {name: (it, value) for name, value in it.fields.items()}
        return found

    @property
    def wild(self):
        """Names of what nothing told of."""
        inner = [configs.wild_fields(it) for it in self.guesses.values()]
        inner += [it.wild for it in self.values.values() if isinstance(it, OfClass)]
        return [*self.wild_arguments, *(name for names in inner for name in names)]

    def change(self, name, value):
        """Another value for an argument, or else for the field of a config that has the name."""
        if name in self.values or name not in self.fields:
            self.make_up(name, value)
            return
        holder, _ = self.fields[name]
        if is_guess(holder):
            configs.change(holder, name, value)
        else:
            holder.change(name, value)

    def restore(self, values):
        """Takes changes back; `values` are those before, empty for what was not there."""
        for name, value in values.items():
            if value is inspect.Parameter.empty:
                for held in (self.values, self.texts, self.made_up):
                    held.pop(name, None)
            else:
                self.change(name, value)

    @property
    def known(self):
        """By name, fields of configs too."""
        return {name: value for name, (_, value) in self.fields.items()} | self.values

    def text(self, entry):
        made = {name: configs.text_of(guess) for name, guess in self.guesses.items()}
        made |= {
            name: _text(self, it) for name, it in self.values.items() if isinstance(it, OfClass)
        }
        return (
            f"{entry}({', '.join(f'{name}={text}' for name, text in (self.texts | made).items())})"
        )

    def told(self):
        """What was made up, as a text; empty where all was given."""
        made = dict(self.made_up)
        for name, it in self.values.items():
            if is_guess(it):
                made[name] = configs.text_of(it)
            elif isinstance(it, OfClass):
                made |= {field: repr(value) for field, value in it.made_up.items()}
        return ", ".join(f"{name}={text}" for name, text in made.items())

    def all_values(self, cls):
        """By name, those of the signature's defaults and of configs too."""
        defaults = {name: it.default for name, it in parameters_of(self.maker(cls)).items()}
        told = {
            name: value for name, value in defaults.items() if value is not inspect.Parameter.empty
        }
        return self.known | told | self.values

    def unset_paddings(self, cls):
        """Those for the id of padding that default to None, which a forward that compares tokens with it needs."""
        parameters = parameters_of(self.maker(cls))
        unset = (name for name, it in parameters.items() if it.default is None)
        return [it for it in unset if _PADDING.search(it) and it not in self.values]

    @property
    def prelude(self):
        """Imports that the text needs besides those of the file's own names."""
        return sorted(
            {*self.uses, *(line for guess in self.guesses.values() for line in configs.uses(guess))}
        )


_PADDING = re.compile(r"pad\w*_?(idx|index|id|token)|(idx|index|id|token)_?pad")


class Variant(Arguments):
    """What a function of the file gives, called without arguments."""

    def __init__(self, name):
        super().__init__()
        self.name = name
        self.imports = [name]

    def text(self, entry):
        return f"{self.name}()"

    def told(self):
        return f"what {self.name}() gives"


def _built(value):
    if is_guess(value):
        return configs.anew(value)
    return value.make() if isinstance(value, (Made, OfClass)) else value


def _text(arguments, value):
    """The value in Python; a member of an enumeration, and a config, by the name of its class."""
    if isinstance(value, OfClass):
        name = value.config.__name__
        inner = ", ".join(f"{field}={_text(arguments, it)}" for field, it in value.made.items())
        text = f"{name}({inner})"
    elif isinstance(value, enum.Enum):
        name = type(value).__name__
        text = f"{name}.{value.name}"
    else:
        return repr(value)
    if isinstance(value, OfClass) and not hasattr(value.module, name):
        arguments.uses.append(f"from {value.config.__module__} import {name}")
    elif name not in arguments.imports:
        arguments.imports.append(name)
    return text
