"""Learning rates over time."""

import math

from .._unsupported import missing as _missing
from ._cycles import (  # noqa: F401
    ChainedScheduler,
    CyclicLR,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
)
from ._schedule import LRScheduler, need_optimizer

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


_LRScheduler = LRScheduler


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        need_optimizer(optimizer)
        count = len(optimizer.param_groups)
        many = isinstance(lr_lambda, (list, tuple))
        if many and len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda) if many else [lr_lambda] * count
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * rule(self.last_epoch) for base, rule in zip(self.base_lrs, self.lr_lambdas)]


class MultiplicativeLR(LambdaLR):
    def get_lr(self):
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self.last_epoch == 0:
            return rates
        return [rate * rule(self.last_epoch) for rate, rule in zip(rates, self.lr_lambdas)]


class _Scaled(LRScheduler):
    """Every group's first rate times `factor_at(step)`, step by step as in PyTorch: of the rate before."""

    def factor_at(self, step):
        raise NotImplementedError

    def growth_at(self, step):
        """What the rate of the step before is multiplied by; step ≥ 1."""
        raise NotImplementedError

    def get_lr(self):
        step = self.last_epoch
        growth = self.growth_at(step) if step > 0 else self.factor_at(step)
        return [group["lr"] * growth for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base * self.factor_at(self.last_epoch) for base in self.base_lrs]


class StepLR(_Scaled):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_at(self, step):
        return self.gamma ** (step // self.step_size)

    def growth_at(self, step):
        return self.gamma if step % self.step_size == 0 else 1


class MultiStepLR(_Scaled):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = sorted(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_at(self, step):
        return self.gamma ** sum(milestone <= step for milestone in self.milestones)

    def growth_at(self, step):
        return self.gamma ** self.milestones.count(step)


class ConstantLR(_Scaled):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def factor_at(self, step):
        return self.factor if step < self.total_iters else 1.0

    def growth_at(self, step):
        return 1.0 / self.factor if step == self.total_iters else 1


class LinearLR(_Scaled):
    def __init__(
        self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1
    ):
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def factor_at(self, step):
        share = min(step, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * share

    def growth_at(self, step):
        if step > self.total_iters:
            return 1
        rise = self.end_factor - self.start_factor
        return 1.0 + rise / (self.total_iters * self.start_factor + (step - 1) * rise)


class ExponentialLR(_Scaled):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor_at(self, step):
        return self.gamma**step

    def growth_at(self, step):
        return self.gamma


class PolynomialLR(_Scaled):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def factor_at(self, step):
        return (1.0 - min(step, self.total_iters) / self.total_iters) ** self.power

    def growth_at(self, step):
        if step > self.total_iters:
            return 1
        left = 1.0 - step / self.total_iters
        return (left / (1.0 - (step - 1) / self.total_iters)) ** self.power


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):  # noqa: N803
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Of the rate before: (1 + cos(πt/T)) / (1 + cos(π(t−1)/T)), and a rise anew from eta_min."""
        step, floor = self.last_epoch, self.eta_min
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if step == 0:
            return rates
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = 1 - math.cos(math.pi / self.T_max)
            return [rate + (base - floor) * rise / 2 for rate, base in zip(rates, self.base_lrs)]
        growth = self._wave(step) / self._wave(step - 1)
        return [growth * (rate - floor) + floor for rate in rates]

    def _wave(self, step):
        return 1 + math.cos(math.pi * step / self.T_max)

    def _get_closed_form_lr(self):
        share = self._wave(self.last_epoch) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):  # noqa: N803
        self.T_0 = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        at, length = max(self.last_epoch, 0), self.T_0
        while at >= length:
            at, length = at - length, length * self.T_mult
        share = (1 + math.cos(math.pi * at / length)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


def __getattr__(name):
    raise _missing("torch.optim.lr_scheduler", name, globals())
