"""A module's state: its dict, and loading one."""

import collections.abc
from collections import OrderedDict

from ... import _meta
from ..._grad_mode import no_grad
from ..._host import host
from ..._tensor import Tensor
from ..parameter import Parameter


class _IncompatibleKeys(
    collections.namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])
):
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
        if isinstance(source, Tensor) and target.dim() == 0 and source.dim() == 1:
            # As the first versions saved a number.
            source = source[0]
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
        elif metadata.get("assign_to_params_buffers"):
            setattr(module, name, _as_one_of(target, source))
        else:
            _copy(target, source)
    key = prefix + "_extra_state"
    if key in state_dict and type(module).set_extra_state is not Stateful.set_extra_state:
        module.set_extra_state(state_dict[key])


def _as_one_of(target, source):
    """What takes the place of `target`: a parameter for a parameter."""
    if not isinstance(target, Parameter):
        return source
    if not isinstance(source, Parameter):
        return Parameter(source, target.requires_grad)
    return source.requires_grad_(target.requires_grad)


def _copy(target, source):
    """Copies now, or leaves it for when the numbers are needed."""
    if not _meta.is_marked(target) and host.take_pending(target._id, source._id):
        return
    with no_grad():
        target.copy_(source)


class Stateful:
    """Part of Module."""

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        if args:
            destination = args[0]
            prefix = args[1] if len(args) > 1 else prefix
            keep_vars = args[2] if len(args) > 2 else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            replaced = hook(self, destination, prefix, {})
            if replaced is not None:
                destination = replaced
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        extra = type(self).get_extra_state
        if extra is not Stateful.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def get_extra_state(self):
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called."
        )

    def set_extra_state(self, state):
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called."
        )

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing, unexpected, errors
    ):
        load_into(self, state_dict, prefix, local_metadata, strict, missing, unexpected, errors)

    def _load_state(self, state_dict, strict, assign=False):
        """What load_state_dict does: names that are missing, that are unexpected, and errors."""
        if not isinstance(state_dict, collections.abc.Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        state = OrderedDict(state_dict)

        metadata = {"assign_to_params_buffers": True} if assign else {}

        def load(module, prefix):
            module._load_from_state_dict(
                state, prefix, metadata, strict, missing, unexpected, errors
            )
            for name, child in module._modules.items():
                if child is not None:
                    load(child, prefix + name + ".")

        load(self, "")
        known = {key for key in _state_names(self)}
        unexpected.extend(key for key in state if key not in known and key not in unexpected)
        return missing, unexpected, errors

    def load_state_dict(self, state_dict, strict=True, assign=False):
        missing, unexpected, errors = self._load_state(state_dict, strict, assign)
        keys = _IncompatibleKeys(missing, unexpected)
        for hook in self._load_state_dict_post_hooks.values():
            hook(self, keys)
        if strict:
            if unexpected:
                errors.insert(
                    0,
                    "Unexpected key(s) in state_dict: "
                    + ", ".join(f'"{k}"' for k in unexpected)
                    + ". ",
                )
            if missing:
                errors.insert(
                    0,
                    "Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in missing) + ". ",
                )
        if errors:
            raise RuntimeError(
                "Error(s) in loading state_dict for {}:\n\t{}".format(
                    type(self).__name__, "\n\t".join(errors)
                )
            )
        return keys


def _state_names(module):
    for path, inner in module.named_modules(remove_duplicate=False):
        prefix = path + "." if path else ""
        for table in (inner._parameters, inner._buffers):
            for name, tensor in table.items():
                if tensor is not None and name not in inner._non_persistent_buffers_set:
                    yield prefix + name
        yield prefix + "_extra_state"
