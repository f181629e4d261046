"""Checkpointing: what is computed again is not seen twice here, so it is a call."""

import contextlib

__all__ = [
    "CheckpointPolicy",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "noop_context_fn",
    "set_checkpoint_early_stop",
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


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


class CheckpointPolicy:
    MUST_SAVE, PREFER_SAVE, MUST_RECOMPUTE, PREFER_RECOMPUTE = range(4)


def create_selective_checkpoint_contexts(*args, **kwargs):
    return noop_context_fn()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    yield
