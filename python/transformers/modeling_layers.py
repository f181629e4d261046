"""Base classes of layers. Checkpointing changes no number: layers run as they are."""

import sys

from normscope_boot.imports import give_placeholders
from torch import nn


class GradientCheckpointingLayer(nn.Module):
    gradient_checkpointing = False


give_placeholders(sys.modules[__name__])
