"""What model files import of diffusers: configs, the base of models, and the layers that they are written with.

The models themselves, pipelines, schedulers and trained weights are not here.
"""

import sys

from normscope_boot.imports import give_placeholders

from .configuration_utils import ConfigMixin  # noqa: F401
from .models.modeling_utils import ModelMixin  # noqa: F401
from .utils import logging  # noqa: F401

__version__ = "0.42.1"

give_placeholders(sys.modules[__name__])
