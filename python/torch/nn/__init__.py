"""torch.nn."""

from . import functional, init, modules, parameter  # noqa: F401
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter, UninitializedParameter  # noqa: F401
