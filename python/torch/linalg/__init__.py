"""torch.linalg."""

from .. import _call
from .._host import _LinAlgError as LinAlgError  # noqa: F401
from .._more_composites import expose_linalg as _expose_more
from .._table import TABLE as _TABLE
from .._unsupported import missing as _missing

_call.expose(globals(), _TABLE, "torch.linalg")
_expose_more(globals())


def __getattr__(name):
    raise _missing("torch.linalg", name, globals())
