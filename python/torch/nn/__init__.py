"""torch.nn."""

from .._unsupported import missing as _missing  # noqa: I001
from . import functional, init, parameter  # noqa: F401
from . import modules, utils  # noqa: F401
from . import attention, parallel, quantized  # noqa: F401
from .modules import *  # noqa: F403
from .parallel import DataParallel  # noqa: F401
from ._factory import factory_kwargs  # noqa: F401
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter  # noqa: F401


def __getattr__(name):
    raise _missing("torch.nn", name, globals())
