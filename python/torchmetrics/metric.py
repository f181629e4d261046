"""A measure of one batch: nothing is kept for the next one."""

from torch import nn


class Metric(nn.Module):
    """One with `measured` tells of its last batch; one with `update` and `compute` keeps states of its own."""

    def __init__(self, **options):
        super().__init__()
        self._last = None
        self._begun_with = {}

    def add_state(self, name, default, dist_reduce_fx=None, persistent=False):
        self._begun_with[name] = default
        self._set_state(name)

    def _set_state(self, name):
        default = self._begun_with[name]
        setattr(self, name, [] if isinstance(default, list) else default.detach().clone())

    def measured(self, *values, **named):
        raise NotImplementedError

    def forward(self, *values, **named):
        self.update(*values, **named)
        return self.compute()

    def update(self, *values, **named):
        self._last = self.measured(*values, **named)

    def compute(self):
        return self._last

    def reset(self):
        self._last = None
        for name in self._begun_with:
            self._set_state(name)
