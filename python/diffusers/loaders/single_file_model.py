"""Where FromOriginalModelMixin stands."""

from . import FromOriginalModelMixin  # noqa: F401
