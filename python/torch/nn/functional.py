"""torch.nn.functional."""

from .. import _call
from .._table import TABLE as _TABLE

_call.expose(globals(), _TABLE, "torch.nn.functional")
