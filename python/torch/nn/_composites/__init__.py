"""Functions of torch.nn.functional that are written in Python of others.

Each module's `__all__` lists them. What the host's table has too is the host's.
"""
