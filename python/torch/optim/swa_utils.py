"""torch.optim.swa_utils: averages of a model's weights over a training."""

import copy
import math

from .._call import call
from .._dtypes import int64
from .._grad_mode import no_grad
from ..nn.modules.batchnorm import _BatchNorm
from ..nn.modules.module import Module
from .lr_scheduler import LRScheduler

__all__ = [
    "AveragedModel",
    "SWALR",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


def get_ema_avg_fn(decay=0.999):
    """averaged ← decay · averaged + (1 − decay) · current"""
    _check_decay(decay)

    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return no_grad()(ema_update)


def get_ema_multi_avg_fn(decay=0.999):
    """The same for lists of tensors, in place."""
    _check_decay(decay)

    def ema_update(ema_param_list, current_param_list, _):
        for averaged, current in zip(ema_param_list, current_param_list):
            if _is_inexact(averaged):
                averaged.lerp_(current, 1 - decay)
            else:
                averaged.copy_(averaged * decay + current * (1 - decay))

    return no_grad()(ema_update)


def get_swa_avg_fn():
    """averaged ← averaged + (current − averaged) / (n + 1)"""

    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return no_grad()(swa_update)


def get_swa_multi_avg_fn():
    """The same for lists of tensors, in place."""

    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for averaged, current in zip(averaged_param_list, current_param_list):
            if _is_inexact(averaged):
                averaged.lerp_(current, (1 / (num_averaged + 1)).to(averaged.dtype))
            else:
                averaged.add_((current - averaged) / (num_averaged + 1))

    return no_grad()(swa_update)


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def _is_inexact(tensor):
    return tensor.is_floating_point() or tensor.is_complex()


class AveragedModel(Module):
    """A copy of a model whose weights are an average of those that the model has had."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", call("zeros", ((),), {"dtype": int64, "device": device}))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        """Takes what `model` has now into the average; the first time it is the average."""
        with no_grad():
            averaged, current = _averaged(self.module, self), _averaged(model, self)
            pairs = [(a.detach(), c.detach()) for a, c in zip(averaged, current)]
            if int(self.n_averaged) == 0:
                for mine, theirs in pairs:
                    mine.copy_(theirs)
            else:
                self._average(pairs)
            if not self.use_buffers:
                for mine, theirs in zip(self.module.buffers(), model.buffers()):
                    mine.detach().copy_(theirs.detach())
            self.n_averaged += 1

    def _average(self, pairs):
        if self.avg_fn is None:
            average = self.multi_avg_fn or get_swa_multi_avg_fn()
            average([mine for mine, _ in pairs], [theirs for _, theirs in pairs], self.n_averaged)
            return
        for mine, theirs in pairs:
            mine.copy_(self.avg_fn(mine, theirs, self.n_averaged))


def _averaged(model, settings):
    yield from model.parameters()
    if settings.use_buffers:
        yield from model.buffers()


def update_bn(loader, model, device=None):
    """Measures anew, over a loader's batches, the statistics that batch norms keep."""
    norms = [module for module in model.modules() if isinstance(module, _BatchNorm)]
    if not norms:
        return
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    was_training = model.training
    model.train()
    with no_grad():
        for batch in loader:
            given = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(given if device is None else given.to(device))
    for norm, momentum in zip(norms, momenta):
        norm.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From the optimizer's rate to `swa_lr` over some epochs, and that rate from then on."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise ValueError(
                "swa_lr must have the same length as optimizer.param_groups: swa_lr has "
                f"{len(rates)}, optimizer.param_groups has {len(groups)}"
            )
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        for group, rate in zip(groups, rates):
            group["swa_lr"] = rate
        self._strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        """How far the rate has gone at a step, between 0 and 1."""
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return t if self._strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        """Each group's rate, from its last one by what is left of the way from the first."""
        step = max(self.last_epoch, 1) if self.anneal_epochs == 0 else self.last_epoch
        before, share = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            final = group["swa_lr"]
            first = final if before == 1 else (group["lr"] - before * final) / (1 - before)
            rates.append(final * share + first * (1 - share))
        return rates
