"""BaseModel."""

import annotationlib
import copy
import json
import sys
import typing

from ._fields import MISSING, FieldInfo, Validator
from ._types import Wrong, converted


class ValidationError(ValueError):
    def __init__(self, title, problems):
        self.title = title
        self.problems = problems
        lines = "".join(f"\n{name}\n  {text}" for name, text in problems)
        count = f"{len(problems)} validation error{'s' if len(problems) > 1 else ''}"
        super().__init__(f"{count} for {title}{lines}")

    def errors(self):
        return [{"loc": (name,), "msg": text} for name, text in self.problems]


class _ModelType(type):
    def __new__(meta, name, bases, body, **options):
        checks = [it for it in body.values() if isinstance(it, Validator)]
        own = {key: it for key, it in body.items() if not isinstance(it, FieldInfo)}
        cls = super().__new__(meta, name, bases, own)
        fields = {}
        for base in reversed(cls.__mro__[1:]):
            fields |= getattr(base, "model_fields", {})
        fields |= _own_fields(cls, body)
        cls.model_fields = fields
        cls.__validators__ = [*_inherited(cls), *checks]
        cls.__options__ = _inherited_options(cls) | _options_of(body) | options
        return cls


def _own_fields(cls, body):
    fields = {}
    for name, kind in _annotations(cls).items():
        if (
            name.startswith("_")
            or typing.get_origin(kind) is typing.ClassVar
            or name == "model_config"
        ):
            continue
        given = body.get(name, MISSING)
        field = given if isinstance(given, FieldInfo) else FieldInfo(given)
        field.annotation = kind
        fields[name] = field
    return fields


def _annotations(cls):
    """Names and types of the class's own body; anything where a type cannot be read."""
    module = vars(sys.modules.get(cls.__module__, typing))
    found = {}
    for name, kind in annotationlib.get_annotations(
        cls, format=annotationlib.Format.FORWARDREF
    ).items():
        if isinstance(kind, annotationlib.ForwardRef):
            kind = kind.__forward_arg__
        if isinstance(kind, str):
            try:
                kind = eval(kind, module, {cls.__name__: cls})
            except Exception:
                kind = typing.Any
        found[name] = kind
    return found


def _inherited(cls):
    return [it for base in reversed(cls.__mro__[1:]) for it in vars(base).get("__validators__", [])]


def _inherited_options(cls):
    found = {}
    for base in reversed(cls.__mro__[1:]):
        found |= vars(base).get("__options__", {})
    return found


def _options_of(body):
    config = body.get("Config")
    return dict(body.get("model_config", {})) | (
        {}
        if config is None
        else {key: it for key, it in vars(config).items() if not key.startswith("__")}
    )


class BaseModel(metaclass=_ModelType):
    model_config = {}

    def __init__(self, **given):
        cls = type(self)
        for check in cls.__validators__:
            if check.fields is None and check.mode == "before":
                given = check.function(cls, given)
        problems = []
        for name, field in cls.model_fields.items():
            try:
                object.__setattr__(self, name, self._value(name, field, given))
            except (ValueError, AssertionError) as error:
                problems.append((name, _text(error)))
        object.__setattr__(self, "__pydantic_extra__", self._left(given, problems))
        object.__setattr__(self, "model_fields_set", {it for it in given if it in cls.model_fields})
        if problems:
            raise ValidationError(cls.__name__, problems)
        self._check_whole()
        self.model_post_init(None)

    def _value(self, name, field, given):
        key = field.alias if field.alias in given else name
        if key not in given:
            if field.is_required():
                raise Wrong("Field required")
            return copy.deepcopy(field.made()) if field.default_factory is None else field.made()
        value = self._checked(name, given[key], "before")
        value = converted(value, field.annotation)
        problem = field.problem(value)
        if problem is not None:
            raise Wrong(problem)
        return self._checked(name, value, "after")

    def _checked(self, name, value, mode):
        for check in type(self).__validators__:
            if (
                check.fields is not None
                and check.mode == mode
                and (name in check.fields or "*" in check.fields)
            ):
                function = check.function
                others = {
                    key: it for key, it in vars(self).items() if key in type(self).model_fields
                }
                takes = function.__code__.co_argcount
                value = function(type(self), value, *([_Info(name, others)] if takes > 2 else []))
        return value

    def _left(self, given, problems):
        known = set(type(self).model_fields) | {it.alias for it in type(self).model_fields.values()}
        left = {name: value for name, value in given.items() if name not in known}
        extra = type(self).__options__.get("extra", "ignore")
        if extra == "forbid":
            problems.extend((name, "Extra inputs are not permitted") for name in left)
        if extra == "allow":
            for name, value in left.items():
                object.__setattr__(self, name, value)
            return left
        return {}

    def _check_whole(self):
        cls = type(self)
        try:
            for check in cls.__validators__:
                if check.fields is None and check.mode == "after":
                    check.function(self)
                elif check.fields is None and check.mode == "values":
                    for name, value in check.function(cls, dict(self)).items():
                        object.__setattr__(self, name, value)
        except (ValueError, AssertionError) as error:
            raise ValidationError(cls.__name__, [("", _text(error))]) from error

    def model_post_init(self, context):
        pass

    def __setattr__(self, name, value):
        cls = type(self)
        if cls.__options__.get("frozen") or cls.__options__.get("allow_mutation") is False:
            raise ValidationError(cls.__name__, [(name, "Instance is frozen")])
        is_known = (
            name in cls.model_fields
            or name.startswith("_")
            or isinstance(getattr(cls, name, None), property)
        )
        if not is_known and cls.__options__.get("extra", "ignore") != "allow":
            raise ValueError(f'"{cls.__name__}" object has no field "{name}"')
        if name in cls.model_fields and cls.__options__.get("validate_assignment"):
            value = converted(value, cls.model_fields[name].annotation)
        object.__setattr__(self, name, value)

    def __iter__(self):
        names = [*type(self).model_fields, *(self.__pydantic_extra__ or {})]
        return iter([(name, getattr(self, name)) for name in names])

    def __eq__(self, other):
        return type(self) is type(other) and dict(self) == dict(other)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"

    def __str__(self):
        return " ".join(f"{name}={value!r}" for name, value in self)

    def model_dump(self, *, exclude=None, include=None, exclude_none=False, **options):
        return {
            name: _plain(value)
            for name, value in self
            if name not in (exclude or ())
            and (include is None or name in include)
            and not (exclude_none and value is None)
        }

    dict = model_dump

    def model_dump_json(self, *, indent=None, **options):
        return json.dumps(self.model_dump(**options), indent=indent)

    json = model_dump_json

    def model_copy(self, *, update=None, deep=False):
        made = copy.deepcopy(self) if deep else copy.copy(self)
        for name, value in (update or {}).items():
            object.__setattr__(made, name, value)
        return made

    copy = model_copy

    @classmethod
    def model_validate(cls, value, **options):
        return value if isinstance(value, cls) else cls(**value)

    parse_obj = model_validate

    @classmethod
    def model_validate_json(cls, text, **options):
        return cls(**json.loads(text))

    parse_raw = model_validate_json

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        made = cls.__new__(cls)
        for name, field in cls.model_fields.items():
            object.__setattr__(made, name, values.get(name, field.made()))
        object.__setattr__(made, "__pydantic_extra__", {})
        return made

    construct = model_construct


class _Info:
    """What a validator is told of the field and of those before it."""

    def __init__(self, name, data):
        self.field_name = name
        self.data = data

    def __getitem__(self, name):
        return self.data[name]

    def get(self, name, default=None):
        return self.data.get(name, default)

    def __contains__(self, name):
        return name in self.data


def _text(error):
    if isinstance(error, Wrong):
        return str(error)
    kind = "Assertion failed" if isinstance(error, AssertionError) else "Value error"
    return f"{kind}, {error}"


def _plain(value):
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value))
    return {name: _plain(it) for name, it in value.items()} if isinstance(value, dict) else value


def create_model(name, /, __base__=BaseModel, **fields):
    body = {"__annotations__": {}}
    for key, given in fields.items():
        kind, default = given if isinstance(given, tuple) else (type(given), given)
        body["__annotations__"][key] = kind
        if default is not ...:
            body[key] = default
    return _ModelType(name, (__base__,), body)
