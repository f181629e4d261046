"""The base classes of Lightning's models. Training is not Lightning's here: a trainer is refused."""

import sys

from normscope_boot.imports import give_placeholders

from . import callbacks, loggers, utilities  # noqa: F401
from ._module import LightningDataModule, LightningModule  # noqa: F401

__version__ = "2.6.1"


def seed_everything(seed=None, workers=False):
    import random

    import numpy
    import torch

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    return seed


give_placeholders(sys.modules[__name__])
