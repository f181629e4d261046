"""The base of all optimizers: groups of parameters with their settings."""

import copy
from collections import defaultdict

from .._functions import typename
from .._grad_mode import enable_grad, no_grad
from .._tensor import Tensor
from .._unsupported import unsupported
from ._rarer_updates import RARER_UPDATES
from ._step_hooks import (  # noqa: F401
    StepHooks,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
    replaced_by,
)
from ._updates import UPDATES

required = object()
_UPDATES = {**UPDATES, **RARER_UPDATES}


class Optimizer(StepHooks):
    def __init__(self, params, defaults):
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                "but got " + params.type()
            )
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def add_param_group(self, param_group):
        given = param_group["params"]
        given = [given] if isinstance(given, Tensor) else list(given)
        named = [item if isinstance(item, tuple) else (None, item) for item in given]
        for _, parameter in named:
            if not isinstance(parameter, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    f"{typename(parameter)}"
                )
            if not parameter.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        param_group["params"] = [parameter for _, parameter in named]
        if any(name is not None for name, _ in named):
            param_group["param_names"] = [name for name, _ in named]
        for key, value in self.defaults.items():
            param_group.setdefault(key, value)
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if any(id(p) in known for p in param_group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for parameter in group["params"]:
                if set_to_none or parameter.grad is None:
                    parameter.grad = None
                else:
                    parameter.grad.detach_().zero_()

    def step(self, closure=None):
        """Edits the parameters that backward() within the step has left a gradient in."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        self._edit(parameter, group)
        return loss

    # Of one parameter; see _updates.
    _update = None

    def _edit(self, parameter, group):
        if self._update is None:
            raise unsupported(f"torch.optim.{type(self).__name__}.step within a step")
        grad = -parameter.grad if group.get("maximize") else parameter.grad
        self._update(parameter, grad, self.state[parameter], group)

    def state_dict(self):
        for hook in list(self._optimizer_state_dict_pre_hooks.values()):
            hook(self)
        numbers = {}
        groups = []
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            groups.append({**packed, "params": [numbers[id(p)] for p in group["params"]]})
        state = {
            numbers.get(id(key), key) if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        packed = {"state": state, "param_groups": groups}
        return replaced_by(self._optimizer_state_dict_post_hooks, self, packed)

    def load_state_dict(self, state_dict):
        state_dict = replaced_by(self._optimizer_load_state_dict_pre_hooks, self, dict(state_dict))
        given = state_dict["param_groups"]
        if len(given) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        parameters = {}
        for group, saved in zip(self.param_groups, given):
            if len(group["params"]) != len(saved["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of "
                    "optimizer's group"
                )
            parameters.update(zip(saved["params"], group["params"]))
            kept = {key: copy.deepcopy(value) for key, value in saved.items() if key != "params"}
            group.update(kept)
        self.state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            owner = parameters.get(key, key)
            self.state[owner] = _cast(value, owner) if key in parameters else copy.copy(value)
        for hook in list(self._optimizer_load_state_dict_post_hooks.values()):
            hook(self)

    def __repr__(self):
        lines = [type(self).__name__ + " ("]
        for i, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {i}"] if i else [f"Parameter Group {i}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


def _cast(value, parameter, key=None):
    """A copy of a parameter's state, in the parameter's type except for counts of steps."""
    if isinstance(value, Tensor):
        if key == "step" or not parameter.is_floating_point():
            return value.clone()
        return value.detach().clone().to(parameter.dtype)
    if isinstance(value, dict):
        return {name: _cast(one, parameter, name) for name, one in value.items()}
    return value


def _optimizer(name, defaults, fixed=None):
    """An optimizer class with these settings, in the order of PyTorch's arguments."""

    def __init__(self, params, *args, **kwargs):
        if len(args) > len(defaults):
            raise TypeError(f"{name}.__init__() takes at most {len(defaults) + 1} arguments")
        given = {**dict(zip(defaults, args)), **kwargs}
        for key in given:
            if key not in defaults:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
        settings = {**defaults, **given, **(fixed or {})}
        _check(name, settings)
        Optimizer.__init__(self, params, settings)

    body = {"__init__": __init__, "__module__": "torch.optim"}
    if name in _UPDATES:
        body["_update"] = staticmethod(_UPDATES[name])
    return type(name, (Optimizer,), body)


# What is said of a setting below 0, by the class of the optimizer; None: all others.
_NOT_NEGATIVE = {
    None: {
        "lr": "Invalid learning rate: ",
        "eps": "Invalid epsilon value: ",
        "weight_decay": "Invalid weight_decay value: ",
        "momentum": "Invalid momentum value: ",
        "alpha": "Invalid alpha value: ",
        "lr_decay": "Invalid lr_decay value: ",
        "momentum_decay": "Invalid momentum_decay value: ",
        "initial_accumulator_value": "Invalid initial_accumulator_value value: ",
    },
    "Adafactor": {
        "lr": "Learning rate should be >= 0 but is: ",
        "weight_decay": "weight_decay should be >= 0 but is: ",
    },
    "Muon": {
        "lr": "Learning rate should be >= 0 but is: ",
        "weight_decay": "weight decay should be >= 0 but is: ",
        "momentum": "momentum should be >= 0 but is: ",
    },
}


def _check(name, settings):
    for key, title in _NOT_NEGATIVE.get(name, _NOT_NEGATIVE[None]).items():
        value = settings.get(key)
        if isinstance(value, (int, float)) and value < 0:
            raise ValueError(f"{title}{value}")
    if not 0 <= settings.get("rho", 0) <= 1:
        raise ValueError(f"Invalid rho value: {settings['rho']}")
    shrinks, grows = settings.get("etas", (0.5, 1.5))
    if not 0 < shrinks < 1 < grows:
        raise ValueError(f"Invalid eta values: {shrinks}, {grows}")
    if name == "SGD" and settings["nesterov"]:
        if settings["momentum"] <= 0 or settings["dampening"] != 0:
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
    for i, beta in enumerate(settings.get("betas", ())):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
