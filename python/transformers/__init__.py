"""What model files import of transformers: configs, the base of models, outputs, activations, caches.

The models themselves, tokenizers and trained weights are not here.
"""

from . import _finder, initialization  # noqa: F401
from .activations import ACT2FN  # noqa: F401
from .cache_utils import Cache, DynamicCache, EncoderDecoderCache  # noqa: F401
from .configuration_utils import PretrainedConfig, PreTrainedConfig  # noqa: F401
from .generation import GenerationConfig, GenerationMixin  # noqa: F401
from .modeling_utils import PreTrainedModel  # noqa: F401
from .pytorch_utils import Conv1D, apply_chunking_to_forward  # noqa: F401
from .utils import logging  # noqa: F401

__version__ = "5.24.0"


def __getattr__(name):
    from ._configs import config_named

    found = config_named(name) if name.endswith("Config") else None
    if found is None:
        raise AttributeError(f"module 'transformers' has no attribute {name!r}", name=name)
    globals()[name] = found
    return found


_finder.install()
