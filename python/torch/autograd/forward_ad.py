"""torch.autograd.forward_ad: derivatives forwards are not computed."""

from .._unsupported import unsupported


def __getattr__(name):
    if name in ("dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"):
        raise unsupported(f"torch.autograd.forward_ad.{name}")
    raise AttributeError(f"module 'torch.autograd.forward_ad' has no attribute '{name}'", name=name)
