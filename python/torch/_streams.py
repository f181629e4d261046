"""Queues of work of an accelerator, which files name in annotations: a run has none."""

from ._unsupported import unsupported


class Stream:
    def __init__(self, *args, **kwargs):
        raise unsupported("torch.Stream")
