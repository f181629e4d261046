"""Constructor arguments: from `--set`, defaults, a dataclass config, or, where nothing is said, by name."""

import ast
import dataclasses
import difflib
import enum
import inspect

from ._plan_config import GuessError, guessed_config, is_config, is_guess
from ._plan_example import example_arguments
from ._plan_names import made_up, made_up_of_kind
from ._plan_repair import Repairs
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

    def __init__(self):
        self.values = {}
        self.texts = {}
        self.imports = []
        self.guesses = {}
        # Texts of what nobody gave, by name.
        self.made_up = {}
        # Names of what neither a name nor a use told of.
        self.wild = []
        self.uses = []

    def construct(self, cls):
        return cls(**{name: it.make() if isinstance(it, Made) else it for name, it in self.values.items()})

    def make_up(self, name, value):
        """Takes `value` for what nobody gave."""
        self.guesses.pop(name, None)
        if is_guess(value):
            self.values[name] = self.guesses[name] = value
            self.texts[name] = ""
            return
        _set(self, name, value)
        self.made_up[name] = self.texts[name]
        if isinstance(value, Made):
            self.uses.extend(value.imports)
            self.imports.extend(it for it in value.names if it not in self.imports)

    def text(self, entry):
        made = {name: guess.text() for name, guess in self.guesses.items()}
        texts = self.texts | made
        return f"{entry}({', '.join(f'{name}={text}' for name, text in texts.items())})"

    def told(self):
        """What was made up, as a text; empty where all was given."""
        made = self.made_up | {name: guess.text() for name, guess in self.guesses.items()}
        return ", ".join(f"{name}={text}" for name, text in made.items())

    def all_values(self, cls):
        """By name, those of the signature's defaults too."""
        defaults = {name: it.default for name, it in _parameters(cls).items()}
        return {name: value for name, value in defaults.items() if value is not inspect.Parameter.empty} | self.values

    @property
    def prelude(self):
        """Imports that the text needs besides those of the file's own names."""
        return sorted({*self.uses, *(line for guess in self.guesses.values() if (line := guess.uses()))})


def constructed(module, cls, given):
    """The model and its arguments. `given` maps names to Python literals as text.

    Where made-up arguments do not do, what the error tells is changed and tried again; then those of
    the file's own example are taken.
    """
    state = get_rng_state()
    arguments = constructor_arguments(module, cls, given)
    ways = [lambda: _repaired(module, cls, given, arguments, state), lambda: _by_example(module, cls, given, state)]
    first = None
    # What the file says is better than what nothing tells of.
    for way in reversed(ways) if arguments.wild else ways:
        try:
            found = way()
        except Exception as error:
            first = first or error
            continue
        if found is not None:
            return found
    raise first


def _by_example(module, cls, given, state):
    set_rng_state(state)
    arguments = _of_example(module, cls, given)
    return None if arguments is None else (_construct(cls, arguments), arguments)


# Of a constructor that was called with made-up arguments.
_TRIES = 16


def _repaired(module, cls, given, arguments, state):
    parameters = _parameters(cls)
    takes_any = any(it.kind in _ANY for it in parameters.values())

    def guess(name):
        annotation = parameters[name].annotation if name in parameters else inspect.Parameter.empty
        return _guess(module, cls, Usage(cls), name, annotation, arguments)

    repairs = Repairs(cls, parameters, guess, set(given), takes_any)
    first = None
    for _ in range(_TRIES):
        set_rng_state(state)
        try:
            return _construct(cls, arguments), arguments
        except Exception as error:
            first = first or error
            change = repairs.next(arguments.values, error)
        if change is None:
            break
        for name, value in change.items():
            arguments.make_up(name, value)
    if arguments.wild:
        raise _missing(cls, arguments.wild[0]) from first
    raise first


_ANY = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def _construct(cls, arguments):
    try:
        return arguments.construct(cls)
    except GuessError as error:
        raise _missing(cls, error.field) from None


def constructor_arguments(module, cls, given):
    left = {name: _literal(text) for name, text in given.items()}
    arguments = Arguments()
    takes_any = False
    for name, parameter in _parameters(cls).items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            takes_any = True
        elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
            _bind(module, cls, name, parameter, left, arguments)
    if arguments.guesses:
        _give_to_guess(next(iter(arguments.guesses.values())), left)
    elif takes_any:
        for name in list(left):
            _set(arguments, name, left.pop(name))
    if left:
        _refuse_unknown(module, cls, left)
    return arguments


def _of_example(module, cls, given):
    values = example_arguments(module, cls)
    if values is None:
        return None
    kinds = {name: parameter.kind for name, parameter in _parameters(cls).items()}
    if any(kinds.get(name) is inspect.Parameter.VAR_POSITIONAL for name in values):
        return None
    arguments = Arguments()
    for name, value in values.items():
        if kinds[name] is inspect.Parameter.VAR_KEYWORD:
            for inner, of_inner in value.items():
                _set(arguments, inner, of_inner)
        else:
            _set(arguments, name, value)
            config = type(value)
            if dataclasses.is_dataclass(config) and config.__name__ not in arguments.imports:
                arguments.imports.append(config.__name__)
    for name, text in given.items():
        _set(arguments, name, _literal(text))
    return arguments


def _give_to_guess(guess, left):
    for name in list(left):
        value = left.pop(name)
        if isinstance(guess, dict):
            guess[name] = value
        else:
            setattr(guess, name, value)


def _parameters(cls):
    signature = inspect.signature(cls.__init__)
    parameters = dict(signature.parameters)
    parameters.pop(next(iter(parameters)), None)
    return parameters


def _bind(module, cls, name, parameter, left, arguments):
    config = config_class(module, name, parameter)
    if name in left:
        _set(arguments, name, _member(module, parameter.annotation, parameter.default, left.pop(name)))
    elif config is not None:
        fields = {field: left.pop(field) for field in config_fields(config) if field in left}
        if dataclasses.is_dataclass(config):
            fields = {
                field.name: _member(module, field.type, field.default, fields[field.name])
                for field in dataclasses.fields(config)
                if field.name in fields
            }
        missing = _missing_fields(config, fields)
        arguments.made_up |= {field: repr(value) for field, value in missing.items()}
        fields |= missing
        arguments.values[name] = config(**fields)
        inner = ", ".join(f"{field}={_text(arguments, value)}" for field, value in fields.items())
        arguments.texts[name] = f"{config.__name__}({inner})"
        if config.__name__ not in arguments.imports:
            arguments.imports.append(config.__name__)
    elif parameter.default is inspect.Parameter.empty:
        arguments.make_up(name, _guess(module, cls, Usage(cls), name, parameter.annotation, arguments))


def _set(arguments, name, value):
    arguments.values[name] = value
    arguments.texts[name] = _text(arguments, value)


def _text(arguments, value):
    """The value in Python; a member of an enumeration by the name of its class."""
    if not isinstance(value, enum.Enum):
        return repr(value)
    kind = type(value).__name__
    if kind not in arguments.imports:
        arguments.imports.append(kind)
    return f"{kind}.{value.name}"


def _member(module, annotation, default, value):
    """The member that a name, or a value, stands for where an enumeration is wanted."""
    if isinstance(annotation, str):
        annotation = getattr(module, annotation.strip("'\""), None)
    kinds = [kind for kind in (annotation, type(default)) if isinstance(kind, type) and issubclass(kind, enum.Enum)]
    if not kinds or isinstance(value, kinds[0]):
        return value
    for member in kinds[0]:
        if value == member.name or value == member.value:
            return member
    return value


def config_class(module, name, parameter):
    """The class of a config object that the parameter takes, or None."""
    annotation = parameter.annotation
    if isinstance(annotation, str):
        annotation = getattr(module, annotation.strip("'\""), None)
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return annotation
    if parameter.default is not inspect.Parameter.empty:
        return type(parameter.default) if dataclasses.is_dataclass(parameter.default) else None
    if not is_config(name):
        return None
    known = [value for value in vars(module).values() if isinstance(value, type) and _is_config_class(value)]
    own = [value for value in known if value.__module__ == module.__name__] or known
    return own[0] if len(own) == 1 else None


def _is_config_class(value):
    if dataclasses.is_dataclass(value):
        return True
    is_named_so = value.__name__.endswith(("Config", "Args"))
    return is_named_so and all(
        parameter.default is not inspect.Parameter.empty or parameter.kind not in _REQUIRABLE
        for parameter in _parameters(value).values()
    )


_REQUIRABLE = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def config_fields(config):
    if dataclasses.is_dataclass(config):
        return [field.name for field in dataclasses.fields(config) if field.init]
    return list(_parameters(config))


def _missing_fields(config, fields):
    if not dataclasses.is_dataclass(config):
        return {}
    return {
        field.name: _by_name(config, field.name, field.type)
        for field in dataclasses.fields(config)
        if field.init and field.name not in fields and _needs_value(field)
    }


def _needs_value(field):
    """Without a default, or with one that stands for "to be set": None for a whole number, -1 words."""
    if field.default is dataclasses.MISSING:
        return field.default_factory is dataclasses.MISSING
    kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", None)
    return kind == "int" and (field.default is None or (field.default == -1 and "vocab" in field.name))


def _by_name(cls, name, annotation):
    annotation = None if annotation is inspect.Parameter.empty else annotation
    try:
        return made_up(name, annotation)
    except LookupError:
        pass
    try:
        return made_up_of_kind(annotation)
    except LookupError:
        raise _missing(cls, name) from None


# Where neither the name nor a use tells.
_WILD = 4


def _guess(module, cls, usage, name, annotation, arguments):
    """A value for an argument of the constructor: by its uses, its name, or its annotation."""
    if is_config(name):
        return guessed_config(cls, name, {})
    used = made_of_use(module, cls, usage, name, annotation)
    if used is not None:
        return used
    try:
        value = _by_name(cls, name, annotation)
    except PlanError:
        value = _WILD
        arguments.wild.append(name)
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
    known = list(_parameters(cls))
    for name, parameter in _parameters(cls).items():
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
