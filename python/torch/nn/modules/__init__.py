"""The layers."""

from .activation import *  # noqa: F403
from .container import *  # noqa: F403
from .dropout import *  # noqa: F403
from .linear import *  # noqa: F403
from .module import Module  # noqa: F401
from .normalization import *  # noqa: F403
from .sparse import *  # noqa: F403
