"""What model files import of torchvision: a few layers and models, transforms of tensors.

Data sets and trained weights are not here.
"""

from normscope_boot.imports import placeholder

from . import models, ops, transforms  # noqa: F401

__version__ = "0.29.2"

# Files name them beside their model, for training that a run does not do.
datasets = placeholder("torchvision.datasets")
utils = placeholder("torchvision.utils")
io = placeholder("torchvision.io")
