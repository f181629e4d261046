"""Properties of tensors that cannot be assigned, refused in PyTorch's words."""


class read_only(property):
    def __set__(self, tensor, value):
        raise AttributeError(
            f"attribute '{self.__name__}' of 'torch._C.TensorBase' objects is not writable"
        )
