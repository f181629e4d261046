"""torch.autograd.functional: derivatives within a run are not computed."""

from .._unsupported import missing as _missing


def __getattr__(name):
    raise _missing("torch.autograd.functional", name, ())
