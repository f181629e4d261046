"""ModelMixin: a module that knows its dtype and device, and that can checkpoint."""

import torch
from torch.utils.checkpoint import checkpoint


def get_parameter_device(parameter):
    return next((it.device for it in _tensors(parameter)), torch.device("cpu"))


def get_parameter_dtype(parameter):
    """That of the first tensor of floating point; without one, of the last."""
    tensors = list(_tensors(parameter))
    floating = (it.dtype for it in tensors if it.is_floating_point())
    return next(floating, tensors[-1].dtype if tensors else torch.float32)


def _tensors(module):
    yield from module.parameters()
    yield from module.buffers()


def _checkpoint(module, *args):
    return checkpoint(module.__call__, *args, use_reentrant=False)


class ModelMixin(torch.nn.Module):
    config_name = "config.json"
    _automatically_saved_args = ["_diffusers_version", "_class_name", "_name_or_path"]
    _supports_gradient_checkpointing = False
    _keys_to_ignore_on_load_unexpected = None
    _no_split_modules = None
    _keep_in_fp32_modules = None
    _skip_layerwise_casting_patterns = None
    _supports_group_offloading = True
    _repeated_blocks = []

    def __init__(self):
        super().__init__()
        self._gradient_checkpointing_func = None

    def __getattr__(self, name):
        """An entry of the config, where nothing else has the name."""
        config = self.__dict__.get("_internal_dict", ())
        if name in config:
            return config[name]
        return super().__getattr__(name)

    @property
    def device(self):
        return get_parameter_device(self)

    @property
    def dtype(self):
        return get_parameter_dtype(self)

    def num_parameters(self, only_trainable=False, exclude_embeddings=False):
        counted = [it for it in self.parameters() if it.requires_grad or not only_trainable]
        if exclude_embeddings:
            kinds = (it for it in self.modules() if isinstance(it, torch.nn.Embedding))
            excluded = {id(it.weight) for it in kinds}
            counted = [it for it in counted if id(it) not in excluded]
        return sum(it.numel() for it in counted)

    @property
    def is_gradient_checkpointing(self):
        return any(getattr(it, "gradient_checkpointing", False) for it in self.modules())

    def enable_gradient_checkpointing(self, gradient_checkpointing_func=None):
        if not self._supports_gradient_checkpointing:
            raise ValueError(
                f"{type(self).__name__} does not support gradient checkpointing. Please make sure to set the "
                "boolean attribute `_supports_gradient_checkpointing` to `True` in the class definition."
            )
        self._set_gradient_checkpointing(
            enable=True, gradient_checkpointing_func=gradient_checkpointing_func or _checkpoint
        )

    def disable_gradient_checkpointing(self):
        if self._supports_gradient_checkpointing:
            self._set_gradient_checkpointing(enable=False)

    def _set_gradient_checkpointing(self, enable=True, gradient_checkpointing_func=_checkpoint):
        for module in self.modules():
            if hasattr(module, "gradient_checkpointing"):
                module._gradient_checkpointing_func = gradient_checkpointing_func
                module.gradient_checkpointing = enable

    def enable_xformers_memory_efficient_attention(self, attention_op=None):
        """Only speed and memory are at stake: the numbers are the same."""

    def disable_xformers_memory_efficient_attention(self):
        pass

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        raise NotImplementedError(
            f"{cls.__name__}.from_pretrained: no weights are downloaded; make the model with its settings, and "
            "load a checkpoint with --weights"
        )

    def save_pretrained(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__}.save_pretrained: a run writes no files")


LegacyModelMixin = ModelMixin
