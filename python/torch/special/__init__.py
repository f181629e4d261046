"""torch.special."""

from .. import _call
from .._table import TABLE as _TABLE
from .._unsupported import missing as _missing

_call.expose(globals(), _TABLE, "torch.special")


def __getattr__(name):
    raise _missing("torch.special", name, globals())
