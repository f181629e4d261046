"""Schedulers that go in phases, follow a measure, or lead others."""

import bisect
import math

from ._schedule import LRScheduler


def _for_each(value, groups, name):
    if not isinstance(value, (list, tuple)):
        return [value] * len(groups)
    if len(value) != len(groups):
        raise ValueError(f"{name} must have the same length as optimizer.param_groups")
    return list(value)


class _Cycling(LRScheduler):
    """Rates that rise and fall, and momenta that go the other way."""

    cycle_momentum = False

    def _momentum_key(self):
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        return "momentum" if "momentum" in defaults else "betas"

    def _set_momentum(self, group, momentum):
        if "betas" in group and "momentum" not in self.optimizer.defaults:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class OneCycleLR(_Cycling):
    """Up to `max_lr`, and down to far below the first rate."""

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        self.optimizer = optimizer
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError(
                    "You must define either total_steps OR (epochs AND steps_per_epoch)"
                )
            total_steps = epochs * steps_per_epoch
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self.total_steps = total_steps
        self._anneal = _cosine if anneal_strategy == "cos" else _linear
        self._phases = _phases(total_steps, pct_start, three_phase)
        self.cycle_momentum = cycle_momentum
        groups = optimizer.param_groups
        for group, most in zip(groups, _for_each(max_lr, groups, "max_lr")):
            group["initial_lr"] = most / div_factor
            group["max_lr"] = most
            group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            self._momentum_key()
            for group in groups:
                group["max_momentum"], group["base_momentum"] = max_momentum, base_momentum
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start, end, rates, momenta = self._phase_at(step)
        share = (step - start) / (end - start)
        found = []
        for group in self.optimizer.param_groups:
            found.append(self._anneal(*(group[key] for key in rates), share))
            if self.cycle_momentum:
                momentum = self._anneal(*(group[key] for key in momenta), share)
                self._set_momentum(group, momentum)
        return found

    def _phase_at(self, step):
        start = 0
        for end, rates, momenta in self._phases:
            if step <= end or end == self._phases[-1][0]:
                return start, end, rates, momenta
            start = end


def _phases(total, share, has_three):
    """The last step of each phase, and what rates and momenta it goes between."""
    rises = (("initial_lr", "max_lr"), ("max_momentum", "base_momentum"))
    if not has_three:
        falls = (("max_lr", "min_lr"), ("base_momentum", "max_momentum"))
        return [(float(share * total) - 1, *rises), (total - 1, *falls)]
    falls = (("max_lr", "initial_lr"), ("base_momentum", "max_momentum"))
    ends = (("initial_lr", "min_lr"), ("max_momentum", "max_momentum"))
    first, second = float(share * total) - 1, float(2 * share * total) - 2
    return [(first, *rises), (second, *falls), (total - 1, *ends)]


def _cosine(start, end, share):
    return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)


def _linear(start, end, share):
    return (end - start) * share + start


class CyclicLR(_Cycling):
    """Between two rates and back, again and again."""

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
    ):
        self.optimizer = optimizer
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        groups = optimizer.param_groups
        for group, rate in zip(groups, _for_each(base_lr, groups, "base_lr")):
            group["lr"] = group["initial_lr"] = rate
        self.max_lrs = _for_each(max_lr, groups, "max_lr")
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up) + float(down)
        self.step_ratio = step_size_up / self.total_size
        self.mode, self.gamma = mode, gamma
        self._scale = scale_fn or self._scale_of_mode
        self._by_cycle = scale_mode == "cycle" if scale_fn else mode != "exp_range"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._momentum_key()
            for group in groups:
                group["base_momentum"], group["max_momentum"] = base_momentum, max_momentum
        super().__init__(optimizer, last_epoch)

    def _scale_of_mode(self, x):
        if self.mode == "triangular":
            return 1.0
        return 1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        share = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self._scale(cycle if self._by_cycle else self.last_epoch)
        rates = []
        for group, base, most in zip(self.optimizer.param_groups, self.base_lrs, self.max_lrs):
            rates.append(base + (most - base) * share * scale)
            if self.cycle_momentum:
                height = (group["max_momentum"] - group["base_momentum"]) * share
                self._set_momentum(group, group["max_momentum"] - height * scale)
        return rates


class ReduceLROnPlateau(LRScheduler):
    """Smaller rates when a measure has not become better for a while."""

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.optimizer = optimizer
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        self.default_min_lr = min_lr
        self.min_lrs = _for_each(min_lr, optimizer.param_groups, "min_lr")
        self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]
        self._reset()

    def _reset(self):
        self.best = math.inf if self.mode == "min" else -math.inf
        self.cooldown_counter = self.num_bad_epochs = 0

    def step(self, metrics, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        current = float(metrics)
        if self.is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def is_better(self, a, best):
        sign = 1 if self.mode == "min" else -1
        if self.threshold_mode == "abs":
            return sign * a < sign * best - self.threshold
        return sign * a < sign * best * (1.0 - sign * self.threshold)

    def _reduce(self):
        for group, least in zip(self.optimizer.param_groups, self.min_lrs):
            reduced = max(group["lr"] * self.factor, least)
            if group["lr"] - reduced > self.eps:
                group["lr"] = reduced


class SequentialLR(LRScheduler):
    """One scheduler after the other, each from its first step on."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError(
                "SequentialLR expects at least one scheduler to be chained, but got no scheduler."
            )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the "
                f"number of milestone points, but got number of schedulers {len(schedulers)} and the "
                f"number of milestones to be equal to {len(milestones)}"
            )
        self.optimizer = optimizer
        self._schedulers, self._milestones = list(schedulers), list(milestones)
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in self._schedulers:
            scheduler.last_epoch -= 1
        self._schedulers[0].step()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self):
        self.last_epoch += 1
        at = bisect.bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[at]
        if at > 0 and self._milestones[at - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(LRScheduler):
    """Schedulers that change the rate one after the other."""

    def __init__(self, schedulers, optimizer=None):
        if not schedulers:
            raise ValueError(
                "ChainedScheduler expects at least one scheduler to be chained, but got no scheduler."
            )
        self._schedulers = list(schedulers)
        self.optimizer = optimizer or schedulers[0].optimizer
        self._keep_rates()

    def step(self):
        for scheduler in self._schedulers:
            scheduler.step()
        self._keep_rates()

    def _keep_rates(self):
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]
