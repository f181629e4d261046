"""torch.nn.utils.stateless: the older place of torch.func.functional_call."""

from ...func import functional_call

__all__ = ["functional_call"]
