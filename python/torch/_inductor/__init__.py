"""torch._inductor: nothing is compiled."""

from . import config  # noqa: F401
