"""Where the operations are defined in the package: files import them from here too."""

from . import *  # noqa: F403
from . import __all__  # noqa: F401
