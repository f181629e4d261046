"""Checkpointing: what is computed again is not seen twice here, so it is a call."""

import contextlib
import functools

from torch._grad_mode import is_grad_enabled, set_grad_enabled
from torch._host import host
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


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function=None,
    *args,
    use_reentrant=None,
    context_fn=noop_context_fn,
    determinism_check="default",
    debug=False,
    early_stop=True,
    preserve_rng_state=True,
    respect_saved_tensors_hooks=None,
    **kwargs,
):
    if function is None and not args:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return functools.partial(_decorated, use_reentrant=use_reentrant)
    # PyTorch still takes the older kind where nobody says which.
    if use_reentrant is False:
        return function(*args, **kwargs)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if (
        context_fn is not noop_context_fn
        or debug is not False
        or respect_saved_tensors_hooks is not None
    ):
        raise ValueError(
            "Passing `context_fn`, `debug`, or `respect_saved_tensors_hooks` is only supported when "
            "use_reentrant=False."
        )
    return _reentrant(function, args)


def _decorated(function, use_reentrant):
    @functools.wraps(function)
    def checkpointed(*args, **kwargs):
        return checkpoint(function, *args, use_reentrant=use_reentrant, **kwargs)

    return checkpointed


def _reentrant(function, args):
    """The forward runs without autograd; what its results rest on is computed again in backward."""
    is_wanted = is_grad_enabled() and any(
        isinstance(arg, Tensor) and arg.requires_grad for arg in args
    )
    host.recompute(True)
    try:
        with set_grad_enabled(is_wanted):
            return function(*args)
    finally:
        host.recompute(False)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if hasattr(functions, "children"):
        functions = list(functions.children())
    size = len(functions) // segments
    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        run = _run_of(functions[start : end + 1])
        input = checkpoint(run, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return _run_of(functions[end + 1 :])(input)


def _run_of(functions):
    def run(input):
        for function in functions:
            input = function(input)
        return input

    return run


# Operators that the checks of a computation done twice pass over: nothing is done twice.
_ignored_ops = set()


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
