"""torch.autograd.Function: a forward in Python with a backward of its own."""

from .. import _grad_mode
from .._call import call
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


class FunctionCtx:
    """What forward keeps for backward."""

    _saved = ()
    _dirty = ()
    _no_gradient = ()
    _materialize = True
    needs_input_grad = ()

    def save_for_backward(self, *tensors):
        self._saved = tuple(
            (tensor, None if tensor is None else tensor._version) for tensor in tensors
        )

    def save_for_forward(self, *tensors):
        pass

    @property
    def saved_tensors(self):
        for tensor, version in self._saved:
            if tensor is not None and tensor._version != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an "
                    "inplace "
                    f"operation: [{tensor.type()} {list(tensor.shape)}] is at version "
                    f"{tensor._version}; "
                    f"expected version {version} instead. Hint: enable anomaly detection to find the "
                    "operation that failed to compute its gradient, with "
                    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
                )
        return tuple(tensor for tensor, _ in self._saved)

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

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = type(f"{cls.__name__}Backward", (FunctionCtx,), {})()
        ctx.needs_input_grad = tuple(isinstance(arg, Tensor) and arg.requires_grad for arg in args)
        tensors = [arg for arg in args if isinstance(arg, Tensor)]
        host.begin_function(",".join(str(tensor._id) for tensor in tensors))
        try:
            with _grad_mode.no_grad():
                given = _forward(cls, ctx, args, kwargs)
        except BaseException:
            host.abandon_function()
            raise
        return _with_backward(cls, ctx, args, given)


def _forward(cls, ctx, args, kwargs):
    """An argument that comes out as it went in is shown as a view of it."""
    given = _run_forward(cls, ctx, args, kwargs)
    if isinstance(given, (tuple, list)):
        return type(given)([_as_output(ctx, args, one) for one in given])
    return _as_output(ctx, args, given)


def _as_output(ctx, args, output):
    if not isinstance(output, Tensor) or any(output is one for one in ctx._dirty):
        return output
    return output.view_as(output) if any(output is arg for arg in args) else output


def _run_forward(cls, ctx, args, kwargs):
    if cls.setup_context is Function.setup_context:
        return cls.forward(ctx, *args, **kwargs)
    output = cls.forward(*args, **kwargs)
    cls.setup_context(ctx, args, output)
    return output


def _with_backward(cls, ctx, args, given):
    """What forward gave, with the gradient that backward computes."""
    outputs = given if isinstance(given, (tuple, list)) else (given,)
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
    ctx._call = (cls, [isinstance(arg, Tensor) for arg in args])
    ctx._outputs = [(i, outputs[i].shape, outputs[i].dtype) for i in places]
    ctx._count = len(outputs)
    edited = [any(outputs[i] is other for other in ctx._dirty) for i in places]
    _contexts.append(ctx)
    ids = host.end_function(
        len(_contexts) - 1,
        ",".join(str(outputs[i]._id) for i in places),
        "".join("1" if flag else "0" for flag in edited),
    )
    results = list(outputs)
    for i, id, is_edited in zip(places, ids.split(",") if ids else (), edited):
        if not is_edited:
            results[i] = wrap(int(id))
    return type(given)(results) if isinstance(given, (tuple, list)) else results[0]


def run_backward(number, ids, creates_graph):
    """Called by the host: the outputs' gradients → those of the tensor arguments, 0 for none."""
    ctx = _contexts[number]
    cls, is_tensor = ctx._call
    gradients = [None] * ctx._count
    for (i, shape, dtype), id in zip(ctx._outputs, map(int, ids.split(","))):
        if id:
            gradients[i] = wrap(id)
        elif ctx._materialize:
            gradients[i] = call("zeros", (shape,), {"dtype": dtype})
    with _grad_mode.set_grad_enabled(creates_graph):
        rule = cls.backward if cls.backward is not Function.backward else cls.vjp
        given = rule(ctx, *gradients)
    given = given if isinstance(given, tuple) else (given,)
    _check(cls, given, is_tensor)
    kept = [grad for grad, wanted in zip(given, is_tensor) if wanted]
    _alive.append((gradients, kept))
    return ",".join("0" if grad is None else str(grad._id) for grad in kept)


# The host reads gradients after backward has returned.
_alive = []


def _check(cls, given, is_tensor):
    if len(given) > len(is_tensor) and any(grad is not None for grad in given[len(is_tensor) :]):
        raise RuntimeError(
            f"function {cls.__name__}Backward returned an incorrect number of gradients "
            f"(expected {len(is_tensor)}, got {len(given)})"
        )
    if len(given) < len(is_tensor):
        raise RuntimeError(
            f"function {cls.__name__}Backward returned an incorrect number of gradients "
            f"(expected {len(is_tensor)}, got {len(given)})"
        )


class InplaceFunction(Function):
    pass


class NestedIOFunction(Function):
    pass


BackwardCFunction = FunctionCtx


def once_differentiable(function):
    return function
