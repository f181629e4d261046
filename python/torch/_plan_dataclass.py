"""The config class of a file, made of what the user gave and of what is made up for the fields without a default."""

import ast
import dataclasses
import enum
import inspect

from ._plan_config import WILD, compared_choices, is_config
from ._plan_names import made_up, made_up_of_kind
from ._plan_project import project_value
from ._plan_small import constants, defaults, is_of_transformers, small_sizes, takes_constants
from ._syntax import module_tree


class OfClass:
    """`Config(field=value, …)`."""

    def __init__(self, module, config, given):
        self.config = config
        self.module = module
        missing, self.wild = _missing_fields(module, config, given)
        self.made_up = small_sizes(config, given) | missing
        self.made = given | self.made_up

    @property
    def fields(self):
        """Those that have a value, by name, of defaults too."""
        return defaults(self.config) | self.made

    def make(self):
        return self.config(**self.made)

    def lacks(self, name):
        """Takes up a field that the class does not have, where it is one of transformers: those take any."""
        if not any(map(is_of_transformers, self.config.__mro__)):
            return False
        self.made.setdefault(name, None)
        return True

    def change(self, name, value):
        self.made[name] = self.made_up[name] = value

    def __repr__(self):
        return f"{self.config.__name__}({', '.join(f'{name}={value!r}' for name, value in self.made.items())})"


def config_class(module, cls, name, parameter):
    """The class of a config object that the parameter of `cls` takes, or None."""
    annotation = parameter.annotation
    if isinstance(annotation, str):
        annotation = getattr(module, annotation.strip("'\""), None)
    own = getattr(cls, "config_class", None)
    if isinstance(own, type) and is_config(name) and _is_any_config(annotation):
        return own
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return annotation
    if _is_named_config(annotation) and parameter.default is inspect.Parameter.empty:
        return annotation
    if parameter.default is not inspect.Parameter.empty:
        return type(parameter.default) if dataclasses.is_dataclass(parameter.default) else None
    if not is_config(name):
        return None
    known = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and _is_config_class(value)
    ]
    own = [value for value in known if value.__module__ == module.__name__] or known
    if len(own) != 1:
        return None
    # What forward returns can be a dataclass too.
    asked = _fields_asked_of(module, name)
    return own[0] if not asked or asked & {*config_fields(own[0]), *dir(own[0])} else None


def _is_any_config(annotation):
    """Whether only the model itself, as those of transformers do, names the class of its config."""
    name = getattr(annotation, "__name__", None)
    return annotation in (None, inspect.Parameter.empty) or name == "PreTrainedConfig"


def _is_named_config(annotation):
    """Whether it is the class of one model's config, and not what those of all models derive from."""
    is_base = getattr(annotation, "__name__", "").lower() == "pretrainedconfig"
    return isinstance(annotation, type) and not is_base and _is_config_class(annotation)


def _fields_asked_of(module, name):
    return {
        it.attr
        for it in ast.walk(module_tree(module))
        if isinstance(it, ast.Attribute) and isinstance(it.value, ast.Name) and it.value.id == name
    }


def _is_config_class(value):
    if dataclasses.is_dataclass(value):
        return True
    is_named_so = value.__name__.endswith(("Config", "Args"))
    return is_named_so and all(
        parameter.default is not inspect.Parameter.empty
        or parameter.kind not in _REQUIRABLE
        or _is_told(parameter.name)
        for parameter in parameters_of(value).values()
    )


def _is_told(name):
    try:
        made_up(name)
    except LookupError:
        return False
    return True


_REQUIRABLE = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def parameters_of(cls):
    """Of a class's constructor, or of a function that makes one."""
    if inspect.isfunction(cls):
        return dict(inspect.signature(cls).parameters)
    if issubclass(cls, tuple):
        # `class Config(NamedTuple)`
        return dict(inspect.signature(cls).parameters)
    parameters = dict(inspect.signature(cls.__init__).parameters)
    parameters.pop(next(iter(parameters)), None)
    return parameters


def config_fields(config):
    names = [name for name, it in parameters_of(config).items() if it.kind in _REQUIRABLE]
    return [*names, *constants(config)] if takes_constants(config) else names


def given_fields(module, config, texts):
    """Takes the texts of the config's fields out of `texts`; members of enumerations are found by their names."""
    fields = {field: texts.pop(field) for field in config_fields(config) if field in texts}
    if not dataclasses.is_dataclass(config):
        return fields
    return {
        field.name: member(module, field.type, field.default, fields[field.name])
        for field in dataclasses.fields(config)
        if field.name in fields
    }


def _missing_fields(module, config, given):
    """Values for the fields that need one, and the names of those of which nothing tells."""
    made, wild = {}, []
    for name, kind in _needing_values(config):
        if name not in given:
            found = _told(module, name, kind)
            made[name] = of_kind(kind) if found is None else found[0]
            if found is None:
                wild.append(name)
    return made, wild


def _needing_values(config):
    """(name, annotation) of each field that has none, or only one that stands for "to be set"."""
    if dataclasses.is_dataclass(config):
        fields = (it for it in dataclasses.fields(config) if it.init and _needs_value(it))
        return [(it.name, it.type) for it in fields]
    fields = [it for it in parameters_of(config).values() if it.kind in _REQUIRABLE]
    required = [it for it in fields if it.default is inspect.Parameter.empty or _is_unset(it)]
    return [(it.name, _annotated(it)) for it in required]


def _is_unset(parameter):
    return _stands_for_unset(parameter.name, _annotated(parameter), parameter.default)


def _annotated(parameter):
    return None if parameter.annotation is inspect.Parameter.empty else parameter.annotation


def _told(module, name, kind):
    """`(value,)`, or None where nothing tells."""
    file = getattr(module, "__file__", "")
    choices = compared_choices(file, name)
    try:
        value = made_up(name, kind)
        is_other = choices and type(value) is type(choices[0]) and value not in choices
        return (choices[0] if is_other else value,)
    except LookupError:
        return (choices[0],) if choices else project_value(name, file)


def of_kind(annotation):
    """What is tried where only the type tells, or nothing does."""
    try:
        return made_up_of_kind(annotation)
    except LookupError:
        return WILD


def _needs_value(field):
    """Without a default, or with one that stands for "to be set": None for a whole number, -1 words."""
    if field.default is dataclasses.MISSING:
        return field.default_factory is dataclasses.MISSING
    return _stands_for_unset(field.name, field.type, field.default)


def _stands_for_unset(name, annotation, default):
    kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None)
    return kind == "int" and (default is None or (default == -1 and "vocab" in name))


def member(module, annotation, default, value):
    """The member that a name, or a value, stands for where an enumeration is wanted."""
    if isinstance(annotation, str):
        annotation = getattr(module, annotation.strip("'\""), None)
    kinds = [
        kind
        for kind in (annotation, type(default))
        if isinstance(kind, type) and issubclass(kind, enum.Enum)
    ]
    if not kinds or isinstance(value, kinds[0]):
        return value
    for found in kinds[0]:
        if value == found.name or value == found.value:
            return found
    return value
