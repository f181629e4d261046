"""torch.nn.functional."""

from .. import _call
from .._table import TABLE as _TABLE
from .._unsupported import missing as _missing
from ._composites import alignment as _alignment
from ._composites import attention as _attention
from ._composites import layers as _layers
from ._composites import losses as _losses
from ._composites.maxima import *  # noqa: F403
from ._composites.tables import embedding, embedding_bag  # noqa: F401

_call.expose(globals(), _TABLE, "torch.nn.functional")
for _module in (_alignment, _attention, _layers, _losses):
    for _name in _module.__all__:
        globals().setdefault(_name, getattr(_module, _name))


def __getattr__(name):
    raise _missing("torch.nn.functional", name, globals())
