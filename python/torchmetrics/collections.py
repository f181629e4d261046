"""Several measures of the same batch."""

import copy

from torch import nn


class MetricCollection(nn.ModuleDict):
    """`metrics`: a dict, or a list whose names are those of the classes."""

    def __init__(self, metrics, *more, prefix=None, postfix=None, **options):
        super().__init__()
        if not isinstance(metrics, dict):
            several = metrics if isinstance(metrics, (list, tuple)) else [metrics]
            metrics = {type(it).__name__: it for it in (*several, *more)}
        self.prefix, self.postfix = prefix, postfix
        for name, it in metrics.items():
            self[name] = it

    def _named(self, name):
        return f"{self.prefix or ''}{name}{self.postfix or ''}"

    def forward(self, *values, **named):
        return {self._named(name): it(*values, **named) for name, it in self.items()}

    def update(self, *values, **named):
        for it in self.values():
            it.update(*values, **named)

    def compute(self):
        return {self._named(name): it.compute() for name, it in self.items()}

    def reset(self):
        for it in self.values():
            it.reset()

    def clone(self, prefix=None, postfix=None):
        made = copy.deepcopy(self)
        made.prefix = prefix or made.prefix
        made.postfix = postfix or made.postfix
        return made
