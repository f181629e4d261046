"""Fields and validators as a class body declares them."""

MISSING = object()


class FieldInfo:
    def __init__(self, default=MISSING, default_factory=None, alias=None, **limits):
        self.default = MISSING if default is ... else default
        self.default_factory = default_factory
        self.alias = alias
        self.description = limits.pop("description", None)
        self.limits = limits
        self.annotation = None

    def is_required(self):
        return self.default is MISSING and self.default_factory is None

    def made(self):
        return self.default_factory() if self.default_factory is not None else self.default

    def problem(self, value):
        """What is wrong with the value, as a text, or None."""
        for name, (holds, text) in _LIMITS.items():
            limit = self.limits.get(name)
            if limit is not None and value is not None and not holds(value, limit):
                return f"Input should {text} {limit}"
        return None


_LIMITS = {
    "gt": (lambda x, limit: x > limit, "be greater than"),
    "ge": (lambda x, limit: x >= limit, "be greater than or equal to"),
    "lt": (lambda x, limit: x < limit, "be less than"),
    "le": (lambda x, limit: x <= limit, "be less than or equal to"),
    "multiple_of": (lambda x, limit: x % limit == 0, "be a multiple of"),
    "min_length": (lambda x, limit: len(x) >= limit, "have at least this many items:"),
    "max_length": (lambda x, limit: len(x) <= limit, "have at most this many items:"),
}


def Field(default=MISSING, **options):
    return FieldInfo(default, **options)


def PrivateAttr(default=None, *, default_factory=None):
    return default_factory() if default_factory is not None else default


def ConfigDict(**options):
    return options


class Validator:
    """A validator in the body of a class. `fields` is None where it looks at the whole model."""

    def __init__(self, function, fields, mode):
        self.function = getattr(function, "__func__", function)
        self.fields = fields
        self.mode = mode

    def __get__(self, instance, owner):
        return self.function.__get__(instance, owner)


def field_validator(*fields, mode="after", check_fields=None):
    return lambda function: Validator(function, fields, mode)


def validator(
    *fields, pre=False, always=False, allow_reuse=False, each_item=False, check_fields=True
):
    return field_validator(*fields, mode="before" if pre else "after")


def model_validator(*, mode):
    return lambda function: Validator(function, None, mode)


def root_validator(function=None, *, pre=False, skip_on_failure=False, allow_reuse=False):
    mode = "before" if pre else "values"
    return (
        Validator(function, None, mode)
        if function is not None
        else lambda it: Validator(it, None, mode)
    )


def computed_field(function=None, **options):
    def made(it):
        return it if isinstance(it, property) else property(it)

    return made if function is None else made(function)


def field_serializer(*fields, **options):
    return lambda function: function
