"""Parameters that are computed from others: torch.nn.utils.parametrize."""

from collections.abc import Sequence
import contextlib
import copy

from ..._grad_mode import no_grad
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
        if not self.is_tensor and not isinstance(value, Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(value).__name__}"
            )
        self.ntensors = 1 if self.is_tensor else len(value)
        if self.is_tensor:
            self._keep_original(original, value)
        else:
            self._keep_originals(original, value)
        if not unsafe:
            self._check(sizes, dtype)

    def _keep_original(self, original, value):
        if original.dtype != value.dtype:
            raise ValueError(
                "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                f"original.dtype: {original.dtype}\nright_inverse(original).dtype: {value.dtype}"
            )
        with no_grad():
            _set(original, value)
        _keep(self, "original", original)

    def _keep_originals(self, original, values):
        for i, value in enumerate(values):
            if not isinstance(value, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors "
                    f"(list, tuple...). Got element {i} of the sequence with type "
                    f"{type(value).__name__}."
                )
            if isinstance(original, Parameter):
                value = Parameter(value, original.requires_grad)
            _keep(self, f"original{i}", value.requires_grad_(original.requires_grad))

    def _check(self, sizes, dtype):
        made = self()
        if not isinstance(made, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
        for what, wanted, found in (("dtype", dtype, made.dtype), ("shape", sizes, made.shape)):
            if wanted != found:
                raise ValueError(
                    f"Registering a parametrization may not change the {what} of the tensor, "
                    f"unless `unsafe` flag is enabled.\nunparametrized {what}: {wanted}\n"
                    f"parametrized {what}: {found}"
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
                self._set_original(value)
            else:
                self._set_originals(value)

    def _set_original(self, value):
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
        if value.dtype != self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {value.dtype} "
                f"while `original` has dtype {self.original.dtype}"
            )
        _set(self.original, value)

    def _set_originals(self, values):
        if not isinstance(values, Sequence):
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors. Got {type(values).__name__}."
            )
        if len(values) != self.ntensors:
            raise ValueError(
                "'right_inverse' must return a sequence of tensors of length "
                f"{self.ntensors}. Got a sequence of length {len(values)}."
            )
        for i, value in enumerate(values):
            original = getattr(self, f"original{i}")
            if not isinstance(value, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. "
                    f"Got element {i} of type {type(value).__name__}."
                )
            if value.dtype != original.dtype:
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` has dtype {value.dtype} "
                    f"while `original{i}` has dtype {original.dtype}"
                )
            _set(original, value)

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

    def not_pickled(self):
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
            "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
        )

    fields = {"__getstate__": not_pickled}
    if not hasattr(cls, "__deepcopy__"):
        fields["__deepcopy__"] = copied
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
    parametrizations = module.parametrizations[name]
    if not unsafe:
        _check_appended(module, name, parametrization)
    parametrizations.append(parametrization)
    parametrizations.unsafe |= unsafe


def _check_appended(module, name, parametrization):
    """That one more parametrization, and its inverse, keep the tensor's dtype and shape."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for what in ("dtype", "shape"):
        if getattr(after, what) != getattr(before, what):
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless "
                f"the `unsafe` flag is enabled.\nmodule.{name}.{what}: {getattr(before, what)}\n"
                f"parametrization(module.{name}).{what}: {getattr(after, what)}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        inverse = parametrization.right_inverse(after)
    except UnsupportedCall:
        raise
    except NotImplementedError:
        return
    if not isinstance(inverse, Tensor):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(inverse).__name__}"
        )
    for what in ("dtype", "shape"):
        if getattr(inverse, what) != getattr(before, what):
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} "
                f"as module.{name}, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {getattr(before, what)}\n"
                f"returned {what}: {getattr(inverse, what)}"
            )


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
    original = _unparametrized(module, tensor_name, leave_parametrized)
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _keep(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def _unparametrized(module, name, leave_parametrized):
    """The tensor that takes the place of the parametrized one; one original keeps its identity."""
    parametrizations = module.parametrizations[name]
    if not parametrizations.is_tensor:
        if not leave_parametrized:
            raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
                "parametrized in terms of a sequence of tensors."
            )
        value = getattr(module, name)
        return Parameter(value) if value.requires_grad else value
    original = parametrizations.original
    if leave_parametrized:
        with no_grad():
            _set(original, getattr(module, name))
    return original


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """`to_module` shares parametrizations and their originals; without them, nothing happens."""
    if not is_parametrized(from_module):
        return to_module
    for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        source = from_module.parametrizations[name]
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        kept = (
            ["original"] if source.is_tensor else [f"original{i}" for i in range(source.ntensors)]
        )
        for key in kept:
            setattr(target, key, getattr(source, key))
    return to_module
