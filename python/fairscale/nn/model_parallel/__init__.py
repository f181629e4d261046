from . import initialize, layers, mappings, utils  # noqa: F401
from .initialize import initialize_model_parallel  # noqa: F401
