"""Loading a state dict into one module."""

import collections

from ..._grad_mode import no_grad
from ..._tensor import Tensor


class _IncompatibleKeys(collections.namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()


def load_into(module, state_dict, prefix, metadata, strict, missing, unexpected, errors):
    """Copies what belongs to `module` itself; children load their own."""
    for hook in module._load_state_dict_pre_hooks.values():
        hook(state_dict, prefix, metadata, strict, missing, unexpected, errors)
    persistent = {
        name: buffer
        for name, buffer in module._buffers.items()
        if name not in module._non_persistent_buffers_set
    }
    for name, target in [*module._parameters.items(), *persistent.items()]:
        if target is None:
            continue
        key = prefix + name
        if key not in state_dict:
            missing.append(key)
            continue
        source = state_dict[key]
        if not isinstance(source, Tensor):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
                f"from checkpoint but received {type(source)}"
            )
        elif source.shape != target.shape:
            errors.append(
                f"size mismatch for {key}: copying a param with shape {source.shape} from checkpoint, "
                f"the shape in current model is {target.shape}."
            )
        else:
            with no_grad():
                target.copy_(source)
    key = prefix + "_extra_state"
    if key in state_dict and type(module).set_extra_state is not _base().set_extra_state:
        module.set_extra_state(state_dict[key])


def _base():
    from .module import Module

    return Module
