"""torch.nn."""

from . import functional, init, parameter  # noqa: F401, I001
from . import modules, utils  # noqa: F401
from .modules import *  # noqa: F403
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter  # noqa: F401
