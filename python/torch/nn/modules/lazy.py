"""Modules whose parameters take their shapes from the first input."""

from ..parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """Calls `initialize_parameters(*input)` before the first forward; becomes `cls_to_become`."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._first_call = self.register_forward_pre_hook(
            LazyModuleMixin._initialize, with_kwargs=True
        )

    def has_uninitialized_params(self):
        tensors = [*self._parameters.values(), *self._buffers.values()]
        return any(is_lazy(tensor) for tensor in tensors)

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {self.__class__.__name__}"
        )

    def _initialize(self, args, kwargs):
        self.initialize_parameters(*args, **kwargs)
        self._first_call.remove()
        del self._first_call
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become
