"""Constructor arguments: from `--set`, defaults, a config of the file, or, where nothing is said, made up."""

import ast
import difflib
import functools
import inspect
import itertools

from . import _plan_config as configs
from ._host import host
from ._plan_config import guessed_config, is_config
from ._plan_dataclass import (
    OfClass,
    of_kind,
    config_class,
    config_fields,
    given_fields,
    member,
    parameters_of,
)
from ._plan_effort import newest
from ._plan_example import examples
from ._plan_factory import FactoryArguments, factories, takes_parts
from ._plan_given import Arguments, Variant
from ._plan_kept import kept_settings
from ._plan_made import default_of_taker, first_member, made_of_use
from ._plan_names import made_up
from ._plan_project import project_value
from ._plan_places import told_by
from ._plan_repair import Repairs
from ._plan_settings import project_settings
from ._plan_small import is_large, is_without_numbers, smaller, wider
from ._plan_usage import usage_of
from ._plan_variants import variants
from ._random import get_rng_state, set_rng_state


class PlanError(Exception):
    """The class cannot be run as it is asked for; `about` is the function that it is about."""

    def __init__(self, code, message, hint=None, about=None):
        super().__init__(message)
        self.normscope_code = code
        self.normscope_hint = hint
        self.normscope_about = about


def constructed(module, cls, given):
    """The model and its arguments. `given` maps names to Python literals as text.

    Where made-up arguments do not do, what the error tells is changed and tried again; then those of
    the file's own example are taken, then settings that the file keeps, then what the project's say.
    """
    state = get_rng_state()
    try:
        arguments = constructor_arguments(module, cls, given)
    except PlanError:
        if (found := _by_factory(module, cls, given, state)) is None:
            raise
        return _on_a_desk(cls, given, state, *found)
    ways = [
        lambda: _repaired(module, cls, given, arguments, state),
        lambda: _by_example(module, cls, given, state),
    ]
    first = None
    # What the file says is better than what nothing tells of.
    ordered = reversed(ways) if arguments.wild_arguments else ways
    last = [
        lambda: _by_kept(module, cls, given, state),
        lambda: _by_project(module, cls, given, state),
    ]
    if takes_parts(arguments):
        # A function of the file knows better how the parts are made.
        last = [*ordered, *last]
        ordered = [lambda: _by_factory(module, cls, given, state)]
    else:
        last.append(lambda: _by_factory(module, cls, given, state))
    for way in [*ordered, *last]:
        try:
            found = way()
        except Exception as error:
            first = first or error
            continue
        if found is not None:
            return _on_a_desk(cls, given, state, *found)
    raise first


def _on_a_desk(cls, given, state, model, arguments):
    """The model; one of small sizes where it is too large, of wider ones where it has nothing to learn."""
    changes = {}
    if is_large(model, bool(arguments.told())):
        changes = smaller(arguments.all_values(cls), given)
    elif is_without_numbers(model):
        changes = wider(arguments.known, given)
    if not changes:
        return model, arguments
    kept = {name: arguments.known.get(name, inspect.Parameter.empty) for name in changes}
    for name, value in changes.items():
        arguments.change(name, value)
    try:
        return _seeded(state, cls, arguments), arguments
    except Exception:
        arguments.restore(kept)
        return _seeded(state, cls, arguments), arguments


def others(module, cls, given, state, first):
    """Models with other arguments than `first`, whose constructor does but whose inputs do not."""
    if unset := first.unset_paddings(cls):
        kept = {name: first.known.get(name, inspect.Parameter.empty) for name in unset}
        for name in unset:
            first.change(name, 0)
        yield from _ignoring([lambda: (_seeded(state, cls, first), first)])
        first.restore(kept)
    yield from _ignoring(_of_examples(module, cls, given, state))
    yield from _ignoring(_of_kept(module, cls, given, state))
    for value in (64, 16) if first.wild else ():
        for name in first.wild:
            first.change(name, value)
        yield from _ignoring([lambda: (_seeded(state, cls, first), first)])
    yield from _ignoring([lambda: _by_project(module, cls, given, state)])
    names = [] if given else variants(module, cls)[:_EXAMPLES]
    yield from _ignoring(functools.partial(_of_variant, module, cls, name, state) for name in names)


def _ignoring(ways):
    for way in ways:
        # Inputs have been tried on another model before.
        host.begin_construction()
        try:
            yield way()
        except Exception:
            continue


def _of_variant(module, cls, name, state):
    set_rng_state(state)
    model = getattr(module, name)()
    if not isinstance(model, cls):
        raise TypeError(f"{name}() makes another class")
    return model, Variant(name)


def _seeded(state, cls, arguments):
    set_rng_state(state)
    return arguments.construct(cls)


def _by_project(module, cls, given, state):
    settings = constructor_arguments(module, cls, given, True)
    return _repaired(module, cls, given, settings, state)


def _by_factory(module, cls, given, state):
    """Of the first function of the file that makes one with made-up arguments; None where none does."""
    for function in factories(module, cls):
        try:
            arguments = constructor_arguments(module, function, given)
            return _repaired(module, cls, given, arguments, state)
        except Exception:
            continue
    return None


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


def _by_kept(module, cls, given, state):
    """Of the first settings of the file that do and are small enough; None where none are."""
    for way in _of_kept(module, cls, given, state):
        try:
            found = way()
        except Exception:
            continue
        if not is_large(found[0], False):
            return found
    return None


def _of_kept(module, cls, given, state):
    """What makes the model and its arguments, for each settings that the file keeps, or another one makes."""

    def made(name, settings):
        arguments = constructor_arguments(module, cls, given)
        arguments.take(name, settings)
        return _seeded(state, cls, arguments), arguments

    # Fields that the user gave belong to a config that is made up.
    names = parameters_of(cls) if not given.keys() - parameters_of(cls).keys() else {}
    for name, parameter in names.items():
        if parameter.default in (None, inspect.Parameter.empty) and name not in given:
            kept = kept_settings(module, name)[:_KEPT]
            for settings in (*kept, *project_settings(module, name)):
                yield functools.partial(made, name, settings)


_EXAMPLES = 4
_KEPT = 8

# Of a constructor that was called with made-up arguments.
_TRIES = 24


def _repaired(module, cls, given, arguments, state):
    maker = arguments.maker(cls)
    parameters = parameters_of(maker)
    takes_any = any(it.kind in _ANY for it in parameters.values())

    def guess(name):
        annotation = parameters[name].annotation if name in parameters else inspect.Parameter.empty
        return _guess(module, maker, usage_of(maker), name, annotation, arguments)

    repairs = Repairs(maker, parameters, guess, set(given), takes_any)
    before = change = None
    furthest, most = None, 0
    kept = {}
    for _ in range(_TRIES):
        set_rng_state(state)
        begun = newest()
        try:
            return arguments.construct(cls), arguments
        except Exception as error:
            if (made := newest() - begun) >= most:
                furthest, most = error, made
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
        raise _missing(cls, arguments.wild[0]) from furthest
    raise furthest


_ANY = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def constructor_arguments(module, cls, given, by_project=False):
    """Of a class, or of a function that makes one."""
    left = {name: _literal(text) for name, text in given.items()}
    arguments = FactoryArguments(cls) if inspect.isfunction(cls) else Arguments(by_project)
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
    config = config_class(module, cls, name, parameter)
    if name in left:
        arguments.take(
            name, member(module, parameter.annotation, parameter.default, left.pop(name))
        )
    elif config is not None:
        arguments.take(name, OfClass(module, config, given_fields(module, config, left)))
    elif parameter.default is inspect.Parameter.empty:
        arguments.make_up(
            name, _guess(module, cls, usage_of(cls), name, parameter.annotation, arguments)
        )


def _by_name(name, annotation):
    """A value that the name tells; raises LookupError."""
    return made_up(name, None if annotation is inspect.Parameter.empty else annotation)


def _guess(module, cls, usage, name, annotation, arguments):
    """A value for an argument of the constructor: by its uses, its name, its annotation, or the project."""
    if is_config(name) and usage.is_spread(name):
        return {}
    is_free = annotation is inspect.Parameter.empty and usage.asserted_class(module, name) is None
    is_module = usage.is_kept_and_called(name)
    if is_config(name) or (is_free and usage.has_fields(name) and not is_module):
        return guessed_config(cls, name, {}, arguments.by_project)
    if (first := first_member(module, annotation)) is not None:
        return first
    used = made_of_use(module, cls, usage, name, annotation)
    if used is not None:
        return used
    file = getattr(module, "__file__", "")
    told = project_value(name, file)
    is_told = told is not None and _is_of_kind(told[0], annotation)
    if arguments.by_project and is_told:
        return told[0]
    try:
        value = _by_name(name, annotation)
    except LookupError:
        if is_told:
            return told[0]
        if (default := default_of_taker(module, usage, name)) is not None:
            return default
        value = of_kind(annotation)
        arguments.wild_arguments.append(name)
    is_number = type(value) in (int, float) and _kind(annotation) not in ("int", "float")
    return (value, value) if is_number and _is_gone_through(module, usage, name) else value


def _is_gone_through(module, usage, name):
    """Whether the class, or one that it hands the argument on to, takes it for a sequence."""
    takers = ((usage_of(taker), it.name) for taker, it in usage.takers(module, name))
    return any(it.is_gone_through(inner) for it, inner in ((usage, name), *takers))


def _is_of_kind(value, annotation):
    """Whether the value is of the annotated type, where that is a plain one."""
    kind = _kind(annotation)
    fits = type(value).__name__ == kind or (kind == "float" and type(value) is int)
    return fits or kind not in ("int", "float", "bool", "str")


def _kind(annotation):
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None)


def _missing(cls, name):
    return PlanError(
        "plan/missing-argument",
        f"'{cls.__name__}' needs the argument '{name}', which has no default",
        f"Give it with --set {name}=VALUE, or run a model that contains '{cls.__name__}'",
        cls.__init__,
    )


def _literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False, "null": None}.get(text, text)


def _refuse_unknown(module, cls, left):
    known = list(parameters_of(cls))
    for name, parameter in parameters_of(cls).items():
        config = config_class(module, cls, name, parameter)
        if config is not None:
            known.extend(config_fields(config))
    name = next(iter(left))
    near = difflib.get_close_matches(name, known, 1)
    raise PlanError(
        "plan/unknown-argument",
        f"'{cls.__name__}' takes no argument '{name}'",
        f"Did you mean '{near[0]}'?" if near else f"It takes {', '.join(known) or 'none'}",
        cls.__init__,
    )
