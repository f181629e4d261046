"""Shares of right classes."""

import sys

import torch
from normscope_boot.imports import give_placeholders

from .metric import Metric


class MulticlassAccuracy(Metric):
    """`average`: "micro" counts all alike, "macro" each class that occurs, "none" tells them apart."""

    def __init__(self, num_classes=None, top_k=1, average="macro", ignore_index=None, **options):
        super().__init__()
        self.num_classes, self.top_k = num_classes, top_k
        self.average, self.ignore_index = average, ignore_index

    def measured(self, preds, target):
        """`preds`: classes like `target`, or scores with an axis more, the second one."""
        if preds.is_floating_point():
            scores = preds.movedim(1, -1).flatten(0, -2)
            chosen = scores.topk(self.top_k, dim=-1).indices
        else:
            chosen = preds.reshape(-1, 1)
        target = target.reshape(-1)
        counts = target == target if self.ignore_index is None else target != self.ignore_index
        right = (chosen == target[:, None]).any(-1) & counts
        if self.average == "micro":
            return right.sum().float() / counts.sum()
        return self._of_classes(right, target, chosen[:, 0], counts)

    def _of_classes(self, right, target, chosen, counts):
        classes = torch.arange(self.num_classes)[:, None]
        found = ((classes == target) & right).sum(-1).float()
        there = ((classes == target) & counts).sum(-1)
        occurs = there + ((classes == chosen) & counts).sum(-1) > 0
        shares = found / there.clamp(min=1)
        return shares if self.average in (None, "none") else shares.sum() / occurs.sum()


class BinaryAccuracy(Metric):
    def __init__(self, threshold=0.5, ignore_index=None, **options):
        super().__init__()
        self.threshold, self.ignore_index = threshold, ignore_index

    def measured(self, preds, target):
        """`preds`: chances, or logits where one lies outside of [0, 1]."""
        if preds.is_floating_point():
            is_chance = bool(((preds >= 0) & (preds <= 1)).all())
            preds = (preds if is_chance else preds.sigmoid()) > self.threshold
        counts = target == target if self.ignore_index is None else target != self.ignore_index
        return ((preds == target) & counts).sum().float() / counts.sum()


def Accuracy(task, num_classes=None, threshold=0.5, **options):
    if task == "binary":
        return BinaryAccuracy(threshold, **options)
    return MulticlassAccuracy(num_classes, **{"average": "micro", **options})


give_placeholders(sys.modules[__name__])
