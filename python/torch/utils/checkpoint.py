"""Checkpointing: what is computed again is not seen twice here, so it is a call."""

import contextlib

from torch._tensor import Tensor

__all__ = [
    "CheckpointPolicy",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_early_stop",
    "set_device_states",
]


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=None,
    determinism_check="default",
    debug=False,
    early_stop=True,
    preserve_rng_state=True,
    **kwargs,
):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    children = getattr(functions, "children", None)
    for function in children() if children else functions:
        input = function(input)
    return input


# Operators that the checks of a computation done twice pass over: nothing is done twice.
_ignored_ops = set()


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


class CheckpointPolicy:
    MUST_SAVE, PREFER_SAVE, MUST_RECOMPUTE, PREFER_RECOMPUTE = range(4)


def create_selective_checkpoint_contexts(*args, **kwargs):
    return noop_context_fn()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    yield


def get_device_states(*args):
    """The devices of the arguments with their generators: none but the CPU's, which is not among them."""
    return [], []


def set_device_states(devices, states, *, device_type=None):
    pass


def detach_variable(inputs):
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: ",
            type(inputs).__name__,
        )
    return tuple(_detached(value) for value in inputs)


def _detached(value):
    if not isinstance(value, Tensor):
        return value
    made = value.detach()
    made.requires_grad = value.requires_grad
    return made
