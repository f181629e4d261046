"""zeta.nn.modules: norms and heads."""

from .multi_input_multi_output import OutputHead  # noqa: F401
from .simple_rmsnorm import SimpleRMSNorm  # noqa: F401
