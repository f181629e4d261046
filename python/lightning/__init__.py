"""Lightning under its newer name."""

import sys

import pytorch_lightning as pytorch
from pytorch_lightning import *  # noqa: F403
from pytorch_lightning import LightningDataModule, LightningModule, seed_everything  # noqa: F401
from normscope_boot.imports import give_placeholders

sys.modules["lightning.pytorch"] = pytorch
for _name in ("callbacks", "loggers", "utilities"):
    sys.modules[f"lightning.pytorch.{_name}"] = getattr(pytorch, _name)
__version__ = pytorch.__version__

give_placeholders(sys.modules[__name__])
