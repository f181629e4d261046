"""packaging: comparing versions, which model files do of PyTorch's."""

__version__ = "25.0"
