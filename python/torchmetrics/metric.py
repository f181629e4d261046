"""A measure of one batch: nothing is kept for the next one."""

from torch import nn


class Metric(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self._last = None

    def add_state(self, name, default, dist_reduce_fx=None, persistent=False):
        setattr(self, name, default)

    def measured(self, preds, target):
        raise NotImplementedError

    def forward(self, preds, target):
        self._last = self.measured(preds, target)
        return self._last

    def update(self, preds, target):
        self.forward(preds, target)

    def compute(self):
        return self._last

    def reset(self):
        self._last = None
