"""torch.nn.parallel in one process on one device: the module as it is."""

from ..._unsupported import unsupported
from ..modules.module import Module


class DataParallel(Module):
    """Calls its module: without devices to spread over, PyTorch does the same."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.dim = dim
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    """To be named in isinstance; one cannot be made without a process group."""

    def __init__(self, module, *args, **kwargs):
        raise unsupported("torch.nn.parallel.DistributedDataParallel: a run is one process")
