"""torch.autograd.Function: a forward in Python with a backward of its own."""

import functools
import inspect
import warnings

from .. import _grad_mode
from .._call import call
from .._grad_functions import Node
from .._host import host
from .._tensor import Tensor, wrap

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]

# The contexts whose backward the host may call, by their numbers.
_contexts = []


class FunctionCtx(Node):
    """What forward keeps for backward: the `grad_fn` of what it gave."""

    _to_save = ()
    _saved = ()
    _dirty = ()
    _no_gradient = ()
    _materialize = True
    needs_input_grad = ()

    def save_for_backward(self, *tensors):
        self._to_save = tensors

    def save_for_forward(self, *tensors):
        pass

    @property
    def saved_tensors(self):
        for tensor, version in self._saved:
            if tensor is not None and tensor._version != version:
                raise RuntimeError(self._edited(tensor, version))
        return tuple(tensor for tensor, _ in self._saved)

    def _edited(self, tensor, version):
        return (
            "one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: [{tensor.type()} {list(tensor.shape)}]{self._output_text(tensor)} is at "
            f"version {tensor._version}; expected version {version} instead. Hint: enable anomaly "
            "detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )

    def _output_text(self, tensor):
        made = [i for i, own in enumerate(self._results) if own is tensor]
        return f", which is output {made[0]} of {self._called()}," if made else ""

    def _called(self):
        return self._call[0].__name__

    saved_variables = saved_tensors

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        self._no_gradient = tensors

    def set_materialize_grads(self, value):
        self._materialize = value


class Function:
    """To be subclassed with static methods forward and backward; called as `Name.apply(…)`."""

    generate_vmap_rule = False

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it "
            "with backward mode AD."
        )

    vjp = backward

    def __new__(cls, *args, **kwargs):
        warnings.warn(
            f"{cls} should not be instantiated. Methods on autograd functions are all static, so you "
            "should invoke them on the class itself. Instantiating an autograd function will raise an "
            "error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )
        return super().__new__(cls)

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use "
            "new-style autograd function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @classmethod
    def apply(cls, *args, **kwargs):
        args = _in_order(cls, args, kwargs)
        ctx = type(f"{cls.__name__}Backward", (FunctionCtx,), {})()
        ctx.needs_input_grad = tuple(isinstance(arg, Tensor) and arg.requires_grad for arg in args)
        tensors = [arg for arg in args if isinstance(arg, Tensor)]
        host.begin_function(",".join(str(tensor._id) for tensor in tensors))
        try:
            with _grad_mode.no_grad():
                given = _forward(cls, ctx, args)
            _check_saved(ctx)
            _check_dirty(ctx, args, given)
        except BaseException:
            host.abandon_function()
            raise
        return _with_backward(cls, ctx, args, given)


def _in_order(cls, args, kwargs):
    """Arguments given by name at their places; setup_context sees the defaults too."""
    has_setup = _has_setup(cls)
    if not kwargs and not has_setup:
        return args
    signature = inspect.signature(cls.forward)
    known = [it.name for it in signature.parameters.values() if it.kind is not it.KEYWORD_ONLY]
    for name in kwargs:
        if name not in known:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    bound = signature.bind(*(() if has_setup else (None,)), *args, **kwargs)
    if has_setup:
        bound.apply_defaults()
    return bound.args if has_setup else bound.args[1:]


def _has_setup(cls):
    return cls.setup_context is not Function.setup_context


def _check_saved(ctx):
    for i, tensor in enumerate(ctx._to_save):
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {i} is of type "
                f"{type(tensor).__name__}"
            )


def _check_dirty(ctx, args, given):
    """What forward edited must come out, and must have been no leaf."""
    outputs = _listed(given)
    for tensor in ctx._dirty:
        if not any(tensor is output for output in outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. "
                "The inputs that are modified inplace must all be outputs of the Function."
            )
        if _grad_mode.is_grad_enabled() and tensor.requires_grad and tensor.is_leaf:
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation."
            )


def _listed(given):
    return given if isinstance(given, (tuple, list)) else (given,)


def _forward(cls, ctx, args):
    """An argument that comes out as it went in is shown as a view of it."""
    given = _run_forward(cls, ctx, args)
    if isinstance(given, (tuple, list)):
        return type(given)([_as_output(ctx, args, one) for one in given])
    return _as_output(ctx, args, given)


def _as_output(ctx, args, output):
    if not isinstance(output, Tensor) or any(output is one for one in ctx._dirty):
        return output
    return output.view_as(output) if any(output is arg for arg in args) else output


def _run_forward(cls, ctx, args):
    if not _has_setup(cls):
        return cls.forward(ctx, *args)
    output = cls.forward(*args)
    cls.setup_context(ctx, args, output)
    return output


def _with_backward(cls, ctx, args, given):
    """What forward gave, with the gradient that backward computes."""
    outputs = _listed(given)
    is_wanted = _grad_mode.is_grad_enabled() and any(ctx.needs_input_grad)
    if not is_wanted:
        host.abandon_function()
        return given
    places = [
        i
        for i, output in enumerate(outputs)
        if isinstance(output, Tensor)
        and not any(output is other for other in ctx._no_gradient)
        and (output.is_floating_point() or output.is_complex())
    ]
    ctx._call = (cls, [_Wanted(arg) if isinstance(arg, Tensor) else None for arg in args])
    ctx._places = places
    ctx._made = [(one.shape, one.dtype) if isinstance(one, Tensor) else None for one in outputs]
    edited = [any(outputs[i] is other for other in ctx._dirty) for i in places]
    _contexts.append(ctx)
    ids = host.end_function(
        len(_contexts) - 1,
        ",".join(str(outputs[i]._id) for i in places),
        "".join("1" if flag else "0" for flag in edited),
        len(ctx._to_save) > 0,
    )
    results = list(outputs)
    for i, id, is_edited in zip(places, ids.split(",") if ids else (), edited):
        results[i] = outputs[i] if is_edited else _become(outputs[i], int(id))
        results[i]._maker = ctx
    ctx._results = results
    # As they are once forward is over: its own edits of them do not count.
    ctx._saved = [(kept, None if kept is None else kept._version) for kept in ctx._to_save]
    return type(given)(results) if isinstance(given, (tuple, list)) else results[0]


class _Wanted:
    """What a gradient of a tensor argument must fit."""

    def __init__(self, tensor):
        self.requires_grad = tensor.requires_grad
        self.shape, self.dtype = tensor.shape, tensor.dtype


def _become(output, id):
    """The output with its history: the tensor that forward made, which it may hold elsewhere too.

    A leaf of its own that forward gives stays what it is.
    """
    if output.requires_grad:
        return wrap(id)
    known, output._id = output._id, id
    host.release(known)
    return output


def run_backward(number, ids, creates_graph):
    """Called by the host: the outputs' gradients → those of the tensor arguments, 0 for none."""
    ctx = _contexts[number]
    cls, wanted = ctx._call
    arrived = {i: wrap(int(id)) for i, id in zip(ctx._places, ids.split(",")) if id != "0"}
    gradients = [arrived.get(i) for i in range(len(ctx._made))]
    if ctx._materialize:
        gradients = [
            call("zeros", (made[0],), {"dtype": made[1]}) if grad is None and made else grad
            for grad, made in zip(gradients, ctx._made)
        ]
    with _grad_mode.set_grad_enabled(creates_graph):
        rule = cls.backward if cls.backward is not Function.backward else cls.vjp
        given = rule(ctx, *gradients)
    given = given if isinstance(given, tuple) else (given,)
    _check_count(cls, given, wanted)
    kept = [_fitting(cls, at, grad, it) for at, (grad, it) in enumerate(zip(given, wanted)) if it]
    _alive.append((gradients, kept))
    return ",".join("0" if grad is None else str(grad._id) for grad in kept)


# The host reads gradients after backward has returned.
_alive = []


def _check_count(cls, given, wanted):
    extra = any(grad is not None for grad in given[len(wanted) :])
    if extra or len(given) < len(wanted):
        raise RuntimeError(
            f"function {cls.__name__}Backward returned an incorrect number of gradients "
            f"(expected {len(wanted)}, got {len(given)})"
        )
    for place, (grad, it) in enumerate(zip(given, wanted), 1):
        if it is None and grad is not None:
            raise RuntimeError(
                f"function {cls.__name__}Backward returned a gradient different than None at position "
                f"{place}, but the corresponding forward input was not a Variable"
            )


def _fitting(cls, at, grad, wanted):
    """The gradient in the argument's shape and type; None where nobody needs it."""
    if grad is not None and not isinstance(grad, Tensor):
        raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
    if grad is None or not wanted.requires_grad:
        return None
    if grad.shape != wanted.shape:
        if not _is_spread(wanted.shape, grad.shape):
            raise RuntimeError(
                f"Function {cls.__name__}Backward returned an invalid gradient at index {at} - got "
                f"{list(grad.shape)} but expected shape compatible with {list(wanted.shape)}"
            )
        grad = grad.sum_to_size(wanted.shape)
    return grad if grad.dtype == wanted.dtype else grad.to(wanted.dtype)


def _is_spread(shape, wide):
    """Whether `shape` broadcasts to `wide`."""
    return len(shape) <= len(wide) and all(
        size in (1, other) for size, other in zip(reversed(shape), reversed(wide))
    )


class InplaceFunction(Function):
    pass


class NestedIOFunction(Function):
    pass


BackwardCFunction = FunctionCtx


def once_differentiable(backward):
    """A backward whose gradients have no gradient: asking for one raises."""

    @functools.wraps(backward)
    def once(ctx, *gradients):
        with _grad_mode.no_grad():
            given = backward(ctx, *gradients)
        needs = any(isinstance(one, Tensor) and one.requires_grad for one in gradients)
        if not needs or not _grad_mode.is_grad_enabled():
            return given
        made = tuple(None if one is None else _refusing(one) for one in _listed(given))
        return made if isinstance(given, tuple) else made[0]

    return once


def _refusing(gradient):
    return _DelayedError.apply(gradient.detach().requires_grad_())


class _DelayedError(Function):
    @staticmethod
    def forward(ctx, gradient):
        return gradient

    @staticmethod
    def backward(ctx, gradient):
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )
