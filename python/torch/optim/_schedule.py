"""The base of all schedulers of learning rates."""

from .optimizer import Optimizer


def need_optimizer(given):
    if not isinstance(given, Optimizer):
        raise TypeError(f"{type(given).__name__} is not an Optimizer")


class LRScheduler:
    """`rates()` gives a rate for each group of parameters at step `last_epoch`."""

    def __init__(self, optimizer, last_epoch=-1):
        need_optimizer(optimizer)
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def get_lr(self):
        raise NotImplementedError

    def step(self, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        for group, rate in zip(self.optimizer.param_groups, (closed or self.get_lr)()):
            group["lr"] = rate
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self):
        return self._last_lr

    def state_dict(self):
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)
