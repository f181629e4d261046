"""torch.sparse: there are no sparse tensors."""

from ._unsupported import missing as _missing


def __getattr__(name):
    raise _missing("torch.sparse", name, globals())
