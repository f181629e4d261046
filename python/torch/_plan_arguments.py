"""Constructor arguments: from `--set`, defaults, a config of the file, or, where nothing is said, made up."""

import ast
import difflib
import enum
import functools
import inspect
import itertools

from . import _plan_config as configs
from ._plan_config import guessed_config, is_config, is_guess
from ._plan_dataclass import (
    OfClass,
    of_kind,
    config_class,
    config_fields,
    given_fields,
    member,
    parameters_of,
)
from ._plan_example import examples
from ._plan_names import made_up
from ._plan_project import project_value
from ._plan_repair import Repairs, told_by
from ._plan_usage import Made, Usage, made_of_use
from ._random import get_rng_state, set_rng_state


class PlanError(Exception):
    """The class cannot be run as it is asked for."""

    def __init__(self, code, message, hint=None):
        super().__init__(message)
        self.normscope_code = code
        self.normscope_hint = hint


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

    def construct(self, cls):
        return cls(**{name: _built(it) for name, it in self.values.items()})

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
                found |= {name: (it, value) for name, value in it.made.items()}
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
        defaults = {name: it.default for name, it in parameters_of(cls).items()}
        told = {
            name: value for name, value in defaults.items() if value is not inspect.Parameter.empty
        }
        return self.known | told | self.values

    @property
    def prelude(self):
        """Imports that the text needs besides those of the file's own names."""
        return sorted(
            {
                *self.uses,
                *(line for guess in self.guesses.values() if (line := configs.uses(guess))),
            }
        )


def _built(value):
    if is_guess(value):
        return configs.anew(value)
    return value.make() if isinstance(value, (Made, OfClass)) else value


def constructed(module, cls, given):
    """The model and its arguments. `given` maps names to Python literals as text.

    Where made-up arguments do not do, what the error tells is changed and tried again; then those of
    the file's own example are taken, then what the project's settings say.
    """
    state = get_rng_state()
    arguments = constructor_arguments(module, cls, given)

    ways = [
        lambda: _repaired(module, cls, given, arguments, state),
        lambda: _by_example(module, cls, given, state),
    ]
    first = None
    # What the file says is better than what nothing tells of.
    ordered = reversed(ways) if arguments.wild_arguments else ways
    for way in [*ordered, lambda: _by_project(module, cls, given, state)]:
        try:
            found = way()
        except Exception as error:
            first = first or error
            continue
        if found is not None:
            return found
    raise first


def others(module, cls, given, state, first):
    """Models with other arguments than `first`, whose constructor does but whose inputs do not."""
    yield from _ignoring(_of_examples(module, cls, given, state))
    for value in (64, 16) if first.wild else ():
        for name in first.wild:
            first.change(name, value)
        yield from _ignoring([lambda: (_seeded(state, cls, first), first)])
    yield from _ignoring([lambda: _by_project(module, cls, given, state)])


def _ignoring(ways):
    for way in ways:
        try:
            yield way()
        except Exception:
            continue


def _seeded(state, cls, arguments):
    set_rng_state(state)
    return arguments.construct(cls)


def _by_project(module, cls, given, state):
    settings = constructor_arguments(module, cls, given, True)
    return _repaired(module, cls, given, settings, state)


def _by_example(module, cls, given, state):
    """Of the first example in the file whose arguments do; raises the error of the first that there is."""
    first = None
    for way in _of_examples(module, cls, given, state):
        try:
            return way()
        except Exception as error:
            first = first or error
    if first is not None:
        raise first
    return None


def _of_examples(module, cls, given, state):
    """What makes the model and its arguments, for each example."""

    def made(values):
        arguments = _of_example(values, given)
        return _seeded(state, cls, arguments), arguments

    for values in itertools.islice(examples(module, cls), _EXAMPLES):
        yield functools.partial(made, values)


_EXAMPLES = 4

# Of a constructor that was called with made-up arguments.
_TRIES = 24


def _repaired(module, cls, given, arguments, state):
    parameters = parameters_of(cls)
    takes_any = any(it.kind in _ANY for it in parameters.values())

    def guess(name):
        annotation = parameters[name].annotation if name in parameters else inspect.Parameter.empty
        return _guess(module, cls, Usage(cls), name, annotation, arguments)

    repairs = Repairs(cls, parameters, guess, set(given), takes_any)
    first = before = change = None
    kept = {}
    for _ in range(_TRIES):
        set_rng_state(state)
        try:
            return arguments.construct(cls), arguments
        except Exception as error:
            first = first or error
            if hasattr(error, "normscope_code"):
                # What is not supported has an error of its own that says so.
                raise
            if change is not None and told_by(error) == told_by(before):
                arguments.restore(kept)
            change = repairs.next(arguments.known, arguments.wild, error)
            before = error
        if change is None:
            break
        kept = {name: arguments.known.get(name, inspect.Parameter.empty) for name in change}
        for name, value in change.items():
            arguments.change(name, value)
    if arguments.wild:
        raise _missing(cls, arguments.wild[0]) from first
    raise first


_ANY = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def constructor_arguments(module, cls, given, by_project=False):
    left = {name: _literal(text) for name, text in given.items()}
    arguments = Arguments(by_project)
    takes_any = False
    for name, parameter in parameters_of(cls).items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            takes_any = True
        elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
            _bind(module, cls, name, parameter, left, arguments)
    if arguments.guesses:
        guess = next(iter(arguments.guesses.values()))
        for name in list(left):
            configs.change(guess, name, left.pop(name))
    elif takes_any:
        for name in list(left):
            arguments.take(name, left.pop(name))
    if left:
        _refuse_unknown(module, cls, left)
    return arguments


def _of_example(values, given):
    arguments = Arguments()
    for name, value in values.items():
        arguments.take(name, value)
    for name, text in given.items():
        arguments.take(name, _literal(text))
    return arguments


def _bind(module, cls, name, parameter, left, arguments):
    config = config_class(module, name, parameter)
    if name in left:
        arguments.take(
            name, member(module, parameter.annotation, parameter.default, left.pop(name))
        )
    elif config is not None:
        arguments.take(name, OfClass(module, config, given_fields(module, config, left)))
    elif parameter.default is inspect.Parameter.empty:
        arguments.make_up(
            name, _guess(module, cls, Usage(cls), name, parameter.annotation, arguments)
        )


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
    if name not in arguments.imports:
        arguments.imports.append(name)
    return text


def _by_name(name, annotation):
    """A value that the name tells; raises LookupError."""
    return made_up(name, None if annotation is inspect.Parameter.empty else annotation)


def _guess(module, cls, usage, name, annotation, arguments):
    """A value for an argument of the constructor: by its uses, its name, its annotation, or the project."""
    if is_config(name):
        return guessed_config(cls, name, {}, arguments.by_project)
    used = made_of_use(module, cls, usage, name, annotation)
    if used is not None:
        return used
    told = project_value(name, getattr(module, "__file__", ""))
    if arguments.by_project and told is not None:
        return told[0]
    try:
        value = _by_name(name, annotation)
    except LookupError:
        if told is not None:
            return told[0]
        value = of_kind(annotation)
        arguments.wild_arguments.append(name)
    return (value, value) if type(value) is int and usage.is_gone_through(name) else value


def _missing(cls, name):
    return PlanError(
        "plan/missing-argument",
        f"'{cls.__name__}' needs the argument '{name}', which has no default",
        f"Give it with --set {name}=VALUE, or run a model that contains '{cls.__name__}'",
    )


def _literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False, "null": None}.get(text, text)


def _refuse_unknown(module, cls, left):
    known = list(parameters_of(cls))
    for name, parameter in parameters_of(cls).items():
        config = config_class(module, name, parameter)
        if config is not None:
            known.extend(config_fields(config))
    name = next(iter(left))
    near = difflib.get_close_matches(name, known, 1)
    raise PlanError(
        "plan/unknown-argument",
        f"'{cls.__name__}' takes no argument '{name}'",
        f"Did you mean '{near[0]}'?" if near else f"It takes {', '.join(known) or 'none'}",
    )
