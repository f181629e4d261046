"""PyTorch's base classes of norms."""

from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.instancenorm import _InstanceNorm

__all__ = ["_BatchNorm", "_InstanceNorm"]
