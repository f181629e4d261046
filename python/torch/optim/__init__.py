"""torch.optim: optimizers hold their groups of parameters, and edit them where the step calls backward."""

from .._unsupported import missing as _missing
from . import lr_scheduler, swa_utils  # noqa: F401
from .optimizer import Optimizer, _optimizer  # noqa: F401

SGD = _optimizer(
    "SGD",
    {
        "lr": 1e-3,
        "momentum": 0,
        "dampening": 0,
        "weight_decay": 0,
        "nesterov": False,
        "maximize": False,
        "foreach": None,
        "differentiable": False,
        "fused": None,
    },
)
_adam = {
    "lr": 1e-3,
    "betas": (0.9, 0.999),
    "eps": 1e-8,
    "weight_decay": 0,
    "amsgrad": False,
    "foreach": None,
    "maximize": False,
    "capturable": False,
    "differentiable": False,
    "fused": None,
}
Adam = _optimizer("Adam", {**_adam, "decoupled_weight_decay": False})
AdamW = _optimizer("AdamW", {**_adam, "weight_decay": 1e-2}, {"decoupled_weight_decay": True})
NAdam = _optimizer(
    "NAdam",
    {
        "lr": 2e-3,
        "betas": (0.9, 0.999),
        "eps": 1e-8,
        "weight_decay": 0,
        "momentum_decay": 4e-3,
        "decoupled_weight_decay": False,
        "foreach": None,
        "maximize": False,
        "capturable": False,
        "differentiable": False,
    },
)
RAdam = _optimizer(
    "RAdam",
    {
        "lr": 1e-3,
        "betas": (0.9, 0.999),
        "eps": 1e-8,
        "weight_decay": 0,
        "decoupled_weight_decay": False,
        "foreach": None,
        "maximize": False,
        "capturable": False,
        "differentiable": False,
    },
)
Adamax = _optimizer(
    "Adamax",
    {
        "lr": 2e-3,
        "betas": (0.9, 0.999),
        "eps": 1e-8,
        "weight_decay": 0,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    },
)
Adagrad = _optimizer(
    "Adagrad",
    {
        "lr": 1e-2,
        "lr_decay": 0,
        "weight_decay": 0,
        "initial_accumulator_value": 0,
        "eps": 1e-10,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "fused": None,
    },
)
Adadelta = _optimizer(
    "Adadelta",
    {
        "lr": 1.0,
        "rho": 0.9,
        "eps": 1e-6,
        "weight_decay": 0,
        "foreach": None,
        "capturable": False,
        "maximize": False,
        "differentiable": False,
    },
)
RMSprop = _optimizer(
    "RMSprop",
    {
        "lr": 1e-2,
        "alpha": 0.99,
        "eps": 1e-8,
        "weight_decay": 0,
        "momentum": 0,
        "centered": False,
        "capturable": False,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
    },
)
Rprop = _optimizer(
    "Rprop",
    {
        "lr": 1e-2,
        "etas": (0.5, 1.2),
        "step_sizes": (1e-6, 50),
        "capturable": False,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
    },
)
ASGD = _optimizer(
    "ASGD",
    {
        "lr": 1e-2,
        "lambd": 1e-4,
        "alpha": 0.75,
        "t0": 1e6,
        "weight_decay": 0,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    },
)
SparseAdam = _optimizer(
    "SparseAdam", {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "maximize": False}
)
LBFGS = _optimizer(
    "LBFGS",
    {
        "lr": 1,
        "max_iter": 20,
        "max_eval": None,
        "tolerance_grad": 1e-7,
        "tolerance_change": 1e-9,
        "history_size": 100,
        "line_search_fn": None,
    },
)
Adafactor = _optimizer(
    "Adafactor",
    {
        "lr": 1e-2,
        "beta2_decay": -0.8,
        "eps": (None, 1e-3),
        "d": 1.0,
        "weight_decay": 0.0,
        "foreach": None,
        "maximize": False,
    },
)
Muon = _optimizer(
    "Muon",
    {
        "lr": 1e-3,
        "weight_decay": 0.1,
        "momentum": 0.95,
        "nesterov": True,
        "ns_coefficients": (3.4445, -4.775, 2.0315),
        "eps": 1e-7,
        "ns_steps": 5,
        "adjust_lr_fn": None,
    },
)

__all__ = [name for name, made in globals().items() if isinstance(made, type)]


def __getattr__(name):
    raise _missing("torch.optim", name, globals())
