"""What configs of model files use of pydantic: models with fields, defaults, simple conversions and validators."""

from . import dataclasses  # noqa: F401
from ._fields import (  # noqa: F401
    ConfigDict,
    Field,
    PrivateAttr,
    computed_field,
    field_serializer,
    field_validator,
    model_validator,
    root_validator,
    validator,
)
from ._model import BaseModel, ValidationError, create_model  # noqa: F401
from ._types import (  # noqa: F401
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    confloat,
    conint,
    constr,
)

__version__ = "2.13.4"
VERSION = __version__
BaseSettings = BaseModel


def validate_call(function=None, **options):
    """The function as it is: its arguments are not checked."""
    return function if function is not None else lambda it: it


validate_arguments = validate_call
