"""ml_collections: settings of a model as attributes."""

from . import config_dict  # noqa: F401
from .config_dict import ConfigDict, FrozenConfigDict  # noqa: F401
