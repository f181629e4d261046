"""Parameters that are computed from others: torch.nn.utils.parametrize."""

import contextlib
import copy

from ..._grad_mode import enable_grad, no_grad
from ..._host import UnsupportedCall
from ..._tensor import Tensor, set_data
from ..modules.container import ModuleDict, ModuleList
from ..parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]

# Within `cached()`: (id(module), name) → the tensor that was computed first.
_cache = {}
_cached_depth = 0


@contextlib.contextmanager
def cached():
    """Computes each parametrized tensor once within the block."""
    global _cached_depth
    _cached_depth += 1
    try:
        yield
    finally:
        _cached_depth -= 1
        if _cached_depth == 0:
            _cache.clear()


def _keep(module, name, tensor):
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, and what they compute it from: `original` or several."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        sizes, dtype = original.shape, original.dtype
        with no_grad():
            value = original
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    try:
                        value = module.right_inverse(value)
                    except UnsupportedCall:
                        raise
                    except NotImplementedError:
                        pass
        self.is_tensor = isinstance(value, Tensor)
        if not self.is_tensor and not isinstance(value, (list, tuple)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(value).__name__}"
            )
        self.ntensors = 1 if self.is_tensor else len(value)
        self._keep_originals(original, value)
        if not unsafe:
            self._check(sizes, dtype)

    def _keep_originals(self, original, value):
        if self.is_tensor:
            if original.dtype is not value.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype."
                )
            with no_grad():
                _set(original, value)
            _keep(self, "original", original)
            return
        for i, part in enumerate(value):
            if isinstance(original, Parameter):
                part = Parameter(part, original.requires_grad)
            _keep(self, f"original{i}", part)

    def _check(self, sizes, dtype):
        made = self()
        if not isinstance(made, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
        if made.dtype is not dtype or made.shape != sizes:
            raise ValueError(
                "Registering a parametrization may not change the dtype or the shape of the "
                "tensor, unless "
                f"`unsafe` flag is enabled: {dtype} {tuple(sizes)} became {made.dtype} "
                f"{tuple(made.shape)}"
            )

    def right_inverse(self, value):
        """Sets the originals so that the parametrized tensor becomes `value`."""
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                value = module.right_inverse(value)
            if self.is_tensor:
                _set(self.original, value)
                return
            for i, part in enumerate(value):
                _set(getattr(self, f"original{i}"), part)

    def forward(self):
        if self.is_tensor:
            originals = (self.original,)
        else:
            originals = (getattr(self, f"original{i}") for i in range(self.ntensors))
        x = self[0](*originals)
        for i in range(1, len(self)):
            x = self[i](x)
        return x


def _set(target, value):
    if target is not value:
        set_data(target, value.data)


def _compute(module, name):
    if not _cached_depth:
        return module.parametrizations[name]()
    key = (id(module), name)
    if key not in _cache:
        _cache[key] = module.parametrizations[name]()
    return _cache[key]


def _give_own_class(module):
    """A subclass for this module alone, whose properties compute the parametrized tensors."""
    cls = type(module)

    def copied(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        made = memo[id(self)] = self.__new__(type(self))
        made.__dict__ = copy.deepcopy(self.__dict__, memo)
        return made

    fields = {} if hasattr(cls, "__deepcopy__") else {"__deepcopy__": copied}
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), fields)


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """`module.tensor_name` becomes what `parametrization` computes from the tensor that it was."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        _append(module, tensor_name, parametrization, unsafe)
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _give_own_class(module)
            module.parametrizations = ModuleDict()
        _add_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element "
            "with name "
            f"'{tensor_name}'"
        )
    return module


def _append(module, name, parametrization, unsafe):
    if unsafe and not module.parametrizations[name].unsafe:
        module.parametrizations[name].unsafe = True
    if hasattr(parametrization, "right_inverse"):
        with enable_grad():
            value = parametrization.right_inverse(getattr(module, name))
        with no_grad():
            module.parametrizations[name].right_inverse(value)
    module.parametrizations[name].append(parametrization)


def _add_property(module, name):
    def get(self):
        return _compute(self, name)

    def set_(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, set_))


def is_parametrized(module, tensor_name=None):
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if not leave_parametrized and not parametrizations.is_tensor:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms "
            "of a sequence of tensors."
        )
    original = (
        parametrizations.original if parametrizations.is_tensor else parametrizations.original0
    )
    if leave_parametrized:
        with no_grad():
            value = getattr(module, tensor_name).detach()
        is_parameter = isinstance(original, Parameter)
        original = Parameter(value, original.requires_grad) if is_parameter else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _keep(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    names = from_module.parametrizations if tensor_name is None else [tensor_name]
    for name in names if is_parametrized(from_module) else ():
        for parametrization in from_module.parametrizations[name]:
            register_parametrization(to_module, name, copy.deepcopy(parametrization))
    return to_module
