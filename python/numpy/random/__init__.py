"""numpy.random: the legacy generator, number for number."""

from torch._unsupported import missing as _missing
from torch._unsupported import unsupported as _unsupported

from ._state import RandomState

_global = RandomState(0)

for _name in RandomState.EXPORTED:
    globals()[_name] = getattr(_global, _name)


def default_rng(seed=None):
    raise _unsupported(
        "numpy.random.default_rng: its generator is another than numpy.random.seed's"
    )


def __getattr__(name):
    raise _missing("numpy.random", name, globals())
