"""GradScaler: multiplies losses, and divides gradients again before an optimizer takes them.

For a device that is not there it is switched off, as PyTorch does on such a machine.
"""

import enum
import warnings
from collections import defaultdict

from .._call import call, composite
from .._grad_mode import no_grad
from .._tensor import Tensor

__all__ = ["GradScaler", "OptState"]


class OptState(enum.Enum):
    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _ready():
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    def __init__(
        self,
        device="cuda",
        init_scale=65536.0,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        if enabled and device == "cuda":
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=2,
            )
            enabled = False
        self._device = device
        self._enabled = enabled
        if enabled and growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if enabled and backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._init_growth_tracker = 0
        self._scale = self._growth_tracker = None
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._per_optimizer_states = defaultdict(_ready)

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._scale = _number(self._init_scale, "float32")
                self._growth_tracker = _number(self._init_growth_tracker, "int32")
            return outputs * self._scale.to(outputs.device)
        if hasattr(outputs, "__iter__"):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        self._need_scale("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = self._scale.double().reciprocal().float()
        found = _number(0.0, "float32")
        with no_grad():
            gradients = list(_gradients_of(optimizer))
            if gradients:
                inverse, found = inverse.to(inverse.device, copy=True), found.to("cpu", copy=True)
                _unscale(gradients, found, inverse)
                state["found_inf_per_device"] = {found.device: found}
        state["stage"] = OptState.UNSCALED

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._need_scale("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        found = state["found_inf_per_device"]
        if not found:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = None
        if not sum(one.item() for one in found.values()):
            result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def update(self, new_scale=None):
        if not self._enabled:
            return
        self._need_scale("update")
        if new_scale is not None:
            self._scale.fill_(new_scale)
        else:
            found = [
                one
                for state in self._per_optimizer_states.values()
                for one in state["found_inf_per_device"].values()
            ]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(any(one.item() for one in found))
        self._per_optimizer_states = defaultdict(_ready)

    @composite("_amp_update_scale_")
    def _adapt(self, is_infinite):
        steps = int(self._growth_tracker) + 1
        factor = self._backoff_factor if is_infinite else 1.0
        if not is_infinite and steps == self._growth_interval:
            factor = self._growth_factor
        self._scale.mul_(factor)
        self._growth_tracker.fill_(steps if factor == 1.0 else 0)

    def _need_scale(self, name):
        fix = (
            "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the "
            "iteration."
        )
        if self._scale is None:
            raise AssertionError(f"Attempted {name} but _scale is None.  {fix}")

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        if not self._enabled:
            return {}
        tracker = self._growth_tracker
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._init_growth_tracker if tracker is None else int(tracker),
        }

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
            self._growth_tracker.fill_(self._init_growth_tracker)


def _number(value, dtype):
    from .. import _dtypes

    return call("full", ((), value), {"dtype": _dtypes.BY_NAME[dtype]})


def _gradients_of(optimizer):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is None:
                continue
            if parameter.grad.dtype.name == "float16":
                raise ValueError("Attempting to unscale FP16 gradients.")
            yield parameter.grad


@composite("_amp_foreach_non_finite_check_and_unscale_")
def _unscale(gradients, found, inverse):
    """Multiplies gradients; `found` is 1 from then on where one of them is not finite."""
    for gradient in gradients:
        found.copy_(found.maximum((~gradient.isfinite()).any().float()))
        gradient.mul_(inverse)
