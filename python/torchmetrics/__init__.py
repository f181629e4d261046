"""Torchmetrics: how often a batch's classes are right."""

import sys

from normscope_boot.imports import give_placeholders

from . import classification
from .classification import Accuracy
from .metric import Metric

__all__ = ["Accuracy", "Metric", "classification"]

give_placeholders(sys.modules[__name__])
