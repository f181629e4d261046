"""Where the layers were before."""

from ...layers import *  # noqa: F403
