"""PreTrainedModel: a module with a config, whose weights are drawn and tied once it is made."""

import torch
from torch import nn

from .pytorch_utils import Conv1D, apply_chunking_to_forward  # noqa: F401
from .configuration_utils import PreTrainedConfig
from .integrations.sdpa_attention import sdpa_attention_forward
from .loss.loss_utils import loss_of
from .utils import ModelOutput  # noqa: F401


class ModuleUtilsMixin:
    @property
    def device(self):
        return next(self.parameters()).device

    @property
    def dtype(self):
        return next((p.dtype for p in self.parameters() if p.is_floating_point()), torch.float32)

    def num_parameters(self, only_trainable=False, exclude_embeddings=False):
        skipped = {
            id(module.weight)
            for module in self.modules()
            if exclude_embeddings and isinstance(module, nn.Embedding)
        }
        return sum(
            p.numel()
            for p in self.parameters()
            if id(p) not in skipped and (p.requires_grad or not only_trainable)
        )

    def invert_attention_mask(self, encoder_attention_mask):
        mask = encoder_attention_mask
        mask = mask[:, None, :, :] if mask.dim() == 3 else mask[:, None, None, :]
        return (1.0 - mask.to(dtype=self.dtype)) * torch.finfo(self.dtype).min

    def get_extended_attention_mask(self, attention_mask, input_shape, dtype=None):
        dtype = self.dtype if dtype is None else dtype
        if attention_mask.dim() == 3:
            mask = attention_mask[:, None, :, :]
        elif not getattr(self.config, "is_decoder", False):
            mask = attention_mask[:, None, None, :]
        else:
            batch, length = input_shape
            places = torch.arange(length, device=attention_mask.device)
            causal = places[None, None, :].repeat(batch, length, 1) <= places[None, :, None]
            mask = causal.to(attention_mask.dtype)[:, None, :, :] * attention_mask[:, None, None, :]
        return (1.0 - mask.to(dtype=dtype)) * torch.finfo(dtype).min

    def get_head_mask(self, head_mask, num_hidden_layers, is_attention_chunked=False):
        if head_mask is not None:
            raise NotImplementedError("head masks are not supported")
        return [None] * num_hidden_layers


class PreTrainedModel(nn.Module, ModuleUtilsMixin):
    config_class = None
    base_model_prefix = ""
    main_input_name = "input_ids"
    supports_gradient_checkpointing = False
    _tied_weights_keys = None
    _no_split_modules = None
    _supports_sdpa = False
    _supports_flash_attn = False
    _input_embed_layer = "embed_tokens"

    def __init__(self, config, *inputs, **kwargs):
        super().__init__()
        if not isinstance(config, PreTrainedConfig):
            raise TypeError(
                f"Parameter config in `{type(self).__name__}(config)` should be an instance of class "
                "`PreTrainedConfig`. To create a model from a pretrained model use "
                f"`model = {type(self).__name__}.from_pretrained(PRETRAINED_MODEL_NAME)`"
            )
        self.config = config
        self.name_or_path = config.name_or_path
        self._choose_attention()

    def _choose_attention(self):
        chosen = self.config._attn_implementation
        if chosen is None:
            chosen = "sdpa" if self._supports_sdpa else "eager"
        elif chosen == "sdpa" and not self._supports_sdpa:
            raise ValueError(
                f"{type(self).__name__} does not support an attention implementation through "
                "torch.nn.functional.scaled_dot_product_attention yet."
            )
        self.config._attn_implementation = chosen

    @property
    def loss_function(self):
        return loss_of(self)

    @property
    def base_model(self):
        return getattr(self, self.base_model_prefix, self)

    def post_init(self):
        self.init_weights()

    def init_weights(self):
        self.initialize_weights()
        self.tie_weights()

    @torch.no_grad()
    def initialize_weights(self):
        """Every module once, children first; a model within it draws its own."""
        _initialize(self, self)

    def _initialize_weights(self, module):
        if getattr(module, "_is_hf_initialized", False):
            return
        self._init_weights(module)
        module._is_hf_initialized = True

    def _init_weights(self, module):
        std = _std_of(self.config)
        kind = type(module).__name__
        if isinstance(module, _LINEAR):
            if module.weight is not None:
                nn.init.normal_(module.weight, mean=0.0, std=std)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LSTM):
            for name, parameter in module.named_parameters():
                if "weight" in name:
                    nn.init.xavier_uniform_(parameter)
                elif "bias" in name:
                    nn.init.constant_(parameter, 0.0)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=std)
            if module.padding_idx is not None:
                nn.init.zeros_(module.weight[module.padding_idx])
        elif isinstance(module, nn.MultiheadAttention):
            module._reset_parameters()
        elif isinstance(module, _NORMS) or "LayerNorm" in kind or "RMSNorm" in kind:
            _reset_norm(module)

    def tie_weights(self, *args, **kwargs):
        if not getattr(self.config, "tie_word_embeddings", False):
            return
        for target, source in (self._tied_weights_keys or {}).items():
            owner, _, name = target.rpartition(".")
            setattr(self.get_submodule(owner), name, self.get_parameter(source))

    def get_input_embeddings(self):
        name = self._input_embed_layer
        for owner in (self, getattr(self, "embeddings", None), getattr(self, "model", None)):
            if owner is not None and hasattr(owner, name):
                return getattr(owner, name)
        if self.base_model is not self:
            return self.base_model.get_input_embeddings()
        raise NotImplementedError(
            f"`get_input_embeddings` not auto‑handled for {type(self).__name__}; please override in the subclass."
        )

    def set_input_embeddings(self, value):
        for owner in (self, getattr(self, "embeddings", None), getattr(self, "model", None)):
            if owner is not None and hasattr(owner, self._input_embed_layer):
                setattr(owner, self._input_embed_layer, value)
                return
        raise NotImplementedError(
            f"`set_input_embeddings` not auto‑handled for {type(self).__name__}"
        )

    def get_output_embeddings(self):
        return getattr(self, "lm_head", None)

    def set_output_embeddings(self, new_embeddings):
        if getattr(self, "lm_head", None) is not None:
            self.lm_head = new_embeddings

    def can_generate(self):
        return "GenerationMixin" in str(type(self).__mro__)

    @property
    def is_gradient_checkpointing(self):
        return any(getattr(module, "gradient_checkpointing", False) for module in self.modules())

    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None):
        """Only memory is at stake: the numbers are the same."""

    def gradient_checkpointing_disable(self):
        pass

    def warn_if_padding_and_no_attention_mask(self, input_ids, attention_mask):
        pass

    @classmethod
    def _from_config(cls, config, **kwargs):
        return cls(config)

    @classmethod
    def register_for_auto_class(cls, auto_class="AutoModel"):
        """Only a name in a registry."""

    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        raise NotImplementedError(
            f"{cls.__name__}.from_pretrained: no weights are downloaded; make the model from its config, and "
            "load a checkpoint with --weights"
        )


class AttentionInterface(dict):
    """Functions of attention by the name that a config has for them."""

    def get_interface(self, attn_implementation, default):
        return self.get(attn_implementation, default)

    def register(self, name, function):
        ALL_ATTENTION_FUNCTIONS[name] = function


ALL_ATTENTION_FUNCTIONS = AttentionInterface(sdpa=sdpa_attention_forward)


def slice_logits_to_keep(hidden_states, logits_to_keep):
    """The positions that logits are computed for: the last so many, all for 0, or those of a tensor."""
    if isinstance(logits_to_keep, int):
        return hidden_states[:, slice(-logits_to_keep, None), :]
    if logits_to_keep.dim() != 2:
        return hidden_states[:, logits_to_keep, :]
    if logits_to_keep.dtype == torch.bool:
        return hidden_states[logits_to_keep]
    return torch.take_along_dim(hidden_states, logits_to_keep[..., None], dim=1)


def _initialize(module, owner):
    for child in module.children():
        _initialize(child, child if isinstance(child, PreTrainedModel) else owner)
    owner._initialize_weights(module)


_LINEAR = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d)
_NORMS = (nn.GroupNorm, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)


def _reset_norm(module):
    if getattr(module, "weight", None) is not None:
        nn.init.ones_(module.weight)
    if getattr(module, "bias", None) is not None:
        nn.init.zeros_(module.bias)
    if getattr(module, "running_mean", None) is not None:
        nn.init.zeros_(module.running_mean)
        nn.init.ones_(module.running_var)
        nn.init.zeros_(module.num_batches_tracked)


def _std_of(config):
    if hasattr(config, "initializer_range"):
        return config.initializer_range or 0.02
    if hasattr(config, "init_std"):
        return config.init_std
    return getattr(config, "initializer_factor", 0.02)
