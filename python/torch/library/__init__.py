"""torch.library: operators of the script's own run as the functions that they are."""

import inspect

from .._unsupported import missing as _missing

_operators = {}


class CustomOpDef:
    """An operator: callable, with decorators for what only compilation needs."""

    def __init__(self, name, function):
        self._name = name
        self._function = function
        self._signature = inspect.signature(function)
        _operators[name] = self

    def __call__(self, *args, **kwargs):
        """Arguments by place, defaults among them: `backward` has a gradient for each."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return self._function(*bound.args, **bound.kwargs)

    def register_fake(self, function=None, **options):
        return function if function is not None else lambda given: given

    register_kernel = register_vmap = register_torch_dispatch = register_fake

    def register_autograd(self, backward, /, *, setup_context=None):
        """Differentiated by `backward` from here on, as a torch.autograd.Function is."""
        from ..autograd import Function

        forward = self._function

        def forward_with(*args):
            return forward(*args)

        def keep(ctx, inputs, output):
            if setup_context is not None:
                setup_context(ctx, inputs, output)

        fields = {
            "forward": staticmethod(forward_with),
            "setup_context": staticmethod(keep),
            "backward": staticmethod(backward),
        }
        self._function = type(self._name, (Function,), fields).apply


def custom_op(name, fn=None, /, *, mutates_args=(), device_types=None, schema=None):
    if fn is not None:
        return CustomOpDef(name, fn)
    return lambda function: CustomOpDef(name, function)


def register_fake(op, func=None, /, **options):
    return func if func is not None else lambda function: function


impl_abstract = register_fake


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    found = op if isinstance(op, CustomOpDef) else _operators.get(op)
    if found is not None:
        found.register_autograd(backward, setup_context=setup_context)


def register_kernel(op, device_types, func=None, /, **options):
    return func if func is not None else lambda function: function


triton_op = custom_op


def wrap_triton(kernel):
    return kernel


class Library:
    def __init__(self, ns, kind, dispatch_key=""):
        self.ns = ns

    def define(self, schema, alias_analysis="", *, tags=()):
        return schema.partition("(")[0]

    def impl(self, op_name, fn, dispatch_key="", **options):
        name = f"{self.ns}::{op_name}"
        if isinstance(op_name, str) and name not in _operators and dispatch_key != "Meta":
            CustomOpDef(name, fn)


def __getattr__(name):
    raise _missing("torch.library", name, globals())
