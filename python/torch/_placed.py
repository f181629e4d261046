"""Where a tensor lives: everything lives in one place, and moving changes nothing."""

from . import _meta
from ._call import call, composite
from ._devices import check as check_device
from ._devices import stay
from ._dtypes import device
from ._read_only import read_only


class Placed:
    """Part of Tensor."""

    @read_only
    def device(self):
        return device("meta" if self.is_meta else "cpu")

    @property
    def is_meta(self):
        return _meta.is_marked(self)

    @property
    def is_cpu(self):
        return not self.is_meta

    def get_device(self):
        return -1

    def to(self, *args, **kwargs):
        for arg in args:
            if type(arg) in (str, int, device):
                check_device(arg)
        moved = _meta.move(self, args, kwargs)
        if moved is not None:
            return moved
        return call("to", (self, *args), kwargs)

    @composite("cpu")
    def cpu(self, *args, **kwargs):
        if _meta.is_marked(self):
            raise NotImplementedError(_meta.NO_DATA)
        return self

    @composite("cuda")
    def cuda(self, *args, **kwargs):
        stay()
        return self

    def pin_memory(self, *args, **kwargs):
        return self

    def share_memory_(self):
        return self

    def is_shared(self):
        return False

    def is_pinned(self):
        return False

    def record_stream(self, stream):
        pass
