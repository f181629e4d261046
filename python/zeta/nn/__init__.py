"""zeta.nn: the layers."""

from .attention import MultiQueryAttention  # noqa: F401
from .modules import OutputHead, SimpleRMSNorm  # noqa: F401
