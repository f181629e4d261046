"""Gradient hooks: kept here, called by the host while it walks backwards."""

import itertools

from ._host import host
from ._tensor import Tensor, wrap

_numbers = itertools.count(1)
_hooks = {}


class RemovableHandle:
    def __init__(self, number):
        self.id = number

    def remove(self):
        _hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def on_gradient(tensor, hook):
    """`hook(grad)` runs when the tensor's gradient is complete; what it returns takes its place."""
    if not tensor.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    number = next(_numbers)
    _hooks[number] = hook
    host.hook(tensor._id, number)
    return RemovableHandle(number)


def after_accumulation(tensor, hook):
    def observed(grad):
        tensor.grad = grad
        hook(tensor)

    return on_gradient(tensor, observed)


def run_hook(number, id):
    """Called by the host. Returns the id of the gradient that goes on."""
    hook = _hooks.get(number)
    grad = wrap(id)
    _kept.append(grad)
    if hook is None:
        return id
    replaced = hook(grad)
    if replaced is None:
        return id
    _kept.append(replaced)
    return replaced._id


# Gradients that hooks have seen: the host reads them after the hook has returned.
_kept = []


def watch_outputs(module, result):
    """Full backward hooks: the gradients of the outputs first, then those of the inputs."""
    state = module.__dict__.setdefault("_backward_state", {})
    state["grad_output"] = []

    def watch(value):
        if isinstance(value, Tensor):
            if not value.requires_grad:
                return value
            seen = _passed(value)
            on_gradient(seen, _output_hook(module, len(state["grad_output"])))
            state["grad_output"].append(None)
            return seen
        if isinstance(value, dict):
            return type(value)((key, watch(item)) for key, item in value.items())
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(watch, value))
        if isinstance(value, (list, tuple)):
            return type(value)(map(watch, value))
        return value

    return watch(result)


def _output_hook(module, i):
    def hook(grad):
        state = module._backward_state
        state["grad_output"][i] = grad
        for pre in module._backward_pre_hooks.values():
            replaced = pre(module, tuple(state["grad_output"]))
            if replaced is not None:
                replaced = replaced if isinstance(replaced, tuple) else (replaced,)
                grad = state["grad_output"][i] = replaced[i]
        if not state.get("has_inputs"):
            _finish(module, ())
        return grad

    return hook


def _passed(tensor):
    """The same numbers as a tensor whose gradient is this module's alone."""
    from .autograd.function import Function

    class Passed(Function):
        @staticmethod
        def forward(ctx, x):
            return x.view_as(x)

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    return Passed.apply(tensor)


def watch_inputs(module, args):
    """Module inputs as views of their own, so that their gradient is this module's alone."""
    state = module.__dict__["_backward_state"] = {"has_inputs": False}
    watched = []
    grads = [None] * len(args)
    for i, arg in enumerate(args):
        if isinstance(arg, Tensor) and arg.requires_grad:
            arg = _passed(arg)
            state["has_inputs"] = True
            on_gradient(arg, _input_hook(module, grads, i))
        watched.append(arg)
    return tuple(watched)


def _input_hook(module, grads, i):
    def hook(grad):
        grads[i] = grad
        replaced = _finish(module, tuple(grads))
        return None if replaced is None else replaced[i]

    return hook


def _finish(module, grad_input):
    result = None
    for hook in module._backward_hooks.values():
        replaced = hook(module, grad_input, tuple(module._backward_state["grad_output"]))
        if replaced is not None:
            result = replaced if isinstance(replaced, tuple) else (replaced,)
    return result
