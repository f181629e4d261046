"""torch.UntypedStorage and its kin, as far as files look at them."""

from ._host import host


class Storage:
    """The memory that a tensor is a window on, counted in units of some bytes."""

    def __init__(self, tensor, unit):
        self._tensor = tensor
        self._unit = unit

    def data_ptr(self):
        return self._tensor.data_ptr() - self._tensor.storage_offset()

    def size(self):
        return self.nbytes() // self._unit

    __len__ = size

    def nbytes(self):
        return host.storage_length(self._tensor._id) * self._tensor.element_size()
