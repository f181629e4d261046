"""Where helpers were before `transformers.utils`."""

import sys

from normscope_boot.imports import give_placeholders

from .utils import *  # noqa: F403
from .utils import ModelOutput, logging  # noqa: F401

give_placeholders(sys.modules[__name__])
