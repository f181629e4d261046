"""Sums, means and extremes of numbers."""

import sys

import torch
from normscope_boot.imports import give_placeholders

from .metric import Metric


class _Aggregation(Metric):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__()
        self.nan_strategy = nan_strategy


class MeanMetric(_Aggregation):
    def measured(self, value, weight=1.0):
        """`weight` is broadcast to `value`."""
        value = torch.as_tensor(value, dtype=torch.get_default_dtype())
        weight = torch.as_tensor(weight, dtype=value.dtype).broadcast_to(value.shape)
        return (value * weight).sum() / weight.sum()


class SumMetric(_Aggregation):
    def measured(self, value):
        return torch.as_tensor(value, dtype=torch.get_default_dtype()).sum()


class MaxMetric(_Aggregation):
    def measured(self, value):
        return torch.as_tensor(value, dtype=torch.get_default_dtype()).max()


class MinMetric(_Aggregation):
    def measured(self, value):
        return torch.as_tensor(value, dtype=torch.get_default_dtype()).min()


give_placeholders(sys.modules[__name__])
