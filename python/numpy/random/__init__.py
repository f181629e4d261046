"""numpy.random: the legacy generator and the newer one, number for number."""

from torch._unsupported import missing as _missing

from ._generator import PCG64, Generator, default_rng  # noqa: F401
from ._state import RandomState

_global = RandomState(0)

for _name in RandomState.EXPORTED:
    globals()[_name] = getattr(_global, _name)


def __getattr__(name):
    raise _missing("numpy.random", name, globals())
