"""Torchmetrics: how often a batch's classes are right, means of numbers, and what measures of one's own derive from."""

import sys

from normscope_boot.imports import give_placeholders

from . import aggregation, classification
from .aggregation import MaxMetric, MeanMetric, MinMetric, SumMetric
from .classification import Accuracy
from .collections import MetricCollection
from .metric import Metric

__all__ = [
    "Accuracy",
    "MaxMetric",
    "MeanMetric",
    "Metric",
    "MetricCollection",
    "MinMetric",
    "SumMetric",
    "aggregation",
    "classification",
]

give_placeholders(sys.modules[__name__])
