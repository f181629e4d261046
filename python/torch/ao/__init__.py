"""torch.ao."""

from . import quantization  # noqa: F401
