"""packaging: comparing versions, which model files do of PyTorch's."""
