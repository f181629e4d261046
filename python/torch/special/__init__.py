"""torch.special."""

from .. import _call, _special_functions
from .._special_polynomials import POLYNOMIALS as _POLYNOMIALS
from .._table import TABLE as _TABLE
from .._unsupported import missing as _missing

_call.expose(globals(), _TABLE, "torch.special")
for _name in _special_functions.SPECIAL:
    globals()[_name] = getattr(_special_functions, _name)
globals().update(_POLYNOMIALS)


def __getattr__(name):
    raise _missing("torch.special", name, globals())
