"""Where PeftAdapterMixin stands."""

from . import PeftAdapterMixin  # noqa: F401
