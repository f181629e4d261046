"""Gradient hooks: kept here, called by the host while it walks backwards."""

import itertools
import weakref

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
    if not tensor.is_leaf:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")

    def observed(grad):
        tensor.grad = grad
        if hook(tensor) is not None:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")
        return tensor.grad

    return on_gradient(tensor, observed)


def retain(tensor):
    """`.grad` of a tensor that is no leaf collects what arrives there."""
    held = weakref.ref(tensor)

    def collect(grad):
        kept = held()
        if kept is not None:
            kept.grad = grad if kept.grad is None else kept.grad + grad

    tensor._retains = True
    on_gradient(tensor, collect)


class MultiHandle:
    """The hooks that stand for one hook of several tensors."""

    def __init__(self, handles):
        self.handles = tuple(handles)

    def remove(self):
        for handle in self.handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def on_gradients(tensors, hook, mode="all"):
    """`hook(grads)` runs once in a walk: with all gradients that arrive, or with the first of them."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    tensors = list(tensors)
    if mode == "any":
        first = _first_of_walk(hook)
        return MultiHandle(on_gradient(one, first) for one in tensors if one.requires_grad)
    gathered = _Gathered(hook, len(tensors))
    handles = [on_gradient(one, gathered.place(at)) for at, one in enumerate(tensors)]
    gathered.numbers = ",".join(str(handle.id) for handle in handles)
    return MultiHandle(handles)


def _first_of_walk(hook):
    walks = set()

    def observed(grad):
        walk = host.walk()
        if walk not in walks:
            walks.add(walk)
            hook(grad)

    return observed


class _Gathered:
    """The gradients of several tensors, until the last that a walk comes to is there."""

    def __init__(self, hook, count):
        self.hook = hook
        self.count = count
        self.numbers = ""
        self.walk = None

    def place(self, at):
        def arrive(grad):
            if self.walk != host.walk():
                self.walk = host.walk()
                self.missing = host.hooks_reached(self.numbers)
                self.grads = [None] * self.count
            self.grads[at] = grad
            self.missing -= 1
            if self.missing == 0:
                self.hook(self.grads)

        return arrive


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
    _check_replaced(hook, grad, replaced)
    _kept.append(replaced)
    return replaced._id


def _check_replaced(hook, grad, replaced):
    if not isinstance(replaced, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(replaced).__name__}'")
    name = getattr(hook, "__name__", type(hook).__name__)
    if replaced.dtype != grad.dtype:
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was {grad.type()} got {replaced.type()})"
        )
    if replaced.shape != grad.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")


# Gradients that hooks have seen: the host reads them after the hook has returned.
_kept = []


class _Call:
    """One call of a module with backward hooks: the hooks of then, and the gradients that come."""

    def __init__(self, module, count, hooks, pre_hooks):
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.has_inputs = False
        self.count = count
        self.grad_output = None

    def outputs_arrive(self, places, count, grads):
        """All of the outputs' gradients at once, None for one that is not used."""
        self.grad_output = _spread(places, count, grads)
        for hook in self.pre_hooks:
            self._replace_outputs(hook(self.module, self.grad_output))
        if not self.has_inputs:
            self.inputs_arrive((), ())
        return tuple(self.grad_output[i] for i in places)

    def _replace_outputs(self, replaced):
        if replaced is None:
            return
        if len(replaced) != len(self.grad_output):
            raise RuntimeError(
                "Backward pre hook returned an invalid number of grad_output, "
                f"got {len(replaced)}, but expected {len(self.grad_output)}"
            )
        self.grad_output = tuple(replaced)

    def inputs_arrive(self, places, grads):
        if self.grad_output is None:
            return grads
        given = _spread(places, self.count, grads)
        for hook in self.hooks:
            replaced = hook(self.module, given, self.grad_output)
            if replaced is None:
                continue
            if not self.has_inputs and any(it is not None for it in replaced):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always "
                    "return None or None for all gradients."
                )
            if len(replaced) != self.count:
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, "
                    f"got {len(replaced)}, but expected {self.count}"
                )
            given = tuple(replaced)
        return tuple(given[i] for i in places)


def _spread(places, count, grads):
    spread = [None] * count
    for i, grad in zip(places, grads):
        spread[i] = grad
    return tuple(spread)


def watch_inputs(module, args, hooks, pre_hooks):
    """Module inputs as views of their own, so that their gradient is this module's alone."""
    state = _Call(module, len(args), hooks, pre_hooks)
    places = [i for i, x in enumerate(args) if isinstance(x, Tensor) and x.requires_grad]
    state.has_inputs = bool(places)
    return _passed(tuple(args), places, lambda grads: state.inputs_arrive(places, grads)), state


def watch_outputs(result, state):
    """The hooks run once the gradients of all outputs are there, before those of the inputs.

    As in PyTorch, a tensor or the tensors of a tuple are outputs, what a dict holds is none.
    """
    if isinstance(result, Tensor):
        return _watch_tuple((result,), state)[0]
    return _watch_tuple(result, state) if isinstance(result, tuple) else result


def _watch_tuple(result, state):
    places = [i for i, x in enumerate(result) if isinstance(x, Tensor) and x.requires_grad]
    return _passed(result, places, lambda grads: state.outputs_arrive(places, len(result), grads))


def _passed(values, places, arrive):
    """The same, but those at `places` as tensors whose gradients go through `arrive` together."""
    from .autograd.function import Function

    if not places:
        return values

    class Passed(Function):
        @staticmethod
        def forward(ctx, *given):
            ctx.set_materialize_grads(False)
            return tuple(x.view_as(x) for x in given)

        @staticmethod
        def backward(ctx, *gradients):
            return arrive(gradients)

    passed = list(values)
    for i, tensor in zip(places, Passed.apply(*(values[i] for i in places))):
        passed[i] = tensor
        host.passed_hooks(tensor._id, values[i]._id)
    return tuple(passed)
