"""torch.autograd: functions with gradients of their own. Gradients are computed after step."""

from .. import _grad_mode
from .._gradients import backward as _backward, grad  # noqa: F401
from .._grad_mode import (  # noqa: F401
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .._host import UnsupportedCall
from .._tensor import Tensor
from .._unsupported import missing as _missing
from . import anomaly_mode, forward_ad, function, functional  # noqa: F401
from . import grad_mode, graph, profiler  # noqa: F401
from .anomaly_mode import detect_anomaly, set_detect_anomaly  # noqa: F401
from .function import Function, NestedIOFunction  # noqa: F401

is_grad_enabled = _grad_mode.is_grad_enabled


def Variable(data, requires_grad=False, volatile=None):  # noqa: N802
    """A tensor: variables and tensors have been one since PyTorch 0.4."""
    return data.requires_grad_(True) if requires_grad else data


def backward(
    tensors,
    grad_tensors=None,
    retain_graph=None,
    create_graph=False,
    grad_variables=None,
    inputs=None,
):
    given = grad_variables if grad_tensors is None else grad_tensors
    _backward(tensors, given, retain_graph, create_graph, inputs)


def gradcheck(*args, **kwargs):
    raise UnsupportedCall("torch.autograd.gradcheck is not supported")


gradgradcheck = gradcheck


def variable(*args, **kwargs):
    return Tensor(*args, **kwargs)


def __getattr__(name):
    raise _missing("torch.autograd", name, globals())
