"""A model file as transformers 5 writes them: masks, layers, rotations, kinds of attention and losses of the package."""

from collections.abc import Callable

import torch
from torch import nn
from transformers import DynamicCache, PreTrainedConfig, PreTrainedModel
from transformers import initialization as init
from transformers.integrations import use_kernel_forward_from_hub
from transformers.masking_utils import (
    create_bidirectional_mask,
    create_causal_mask,
    create_sliding_window_causal_mask,
)
from transformers.modeling_flash_attention_utils import FlashAttentionKwargs
from transformers.modeling_layers import GradientCheckpointingLayer
from transformers.modeling_outputs import CausalLMOutputWithPast
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS, dynamic_rope_update
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS, slice_logits_to_keep
from transformers.processing_utils import Unpack
from transformers.utils import TransformersKwargs, can_return_tuple
from transformers.utils.deprecation import deprecate_kwarg
from transformers.utils.generic import merge_with_config_defaults
from transformers.utils.output_capturing import capture_outputs

# Values within the package are its own affair.
GOLDEN = ("parameters", "modules")


class TinyConfig(PreTrainedConfig):
    model_type = "tiny5"
    vocab_size: int = 23
    hidden_size: int = 16
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    num_key_value_heads: int = 2
    max_position_embeddings: int = 32
    sliding_window: int | None = 3
    initializer_range: float = 0.05
    rope_parameters: dict | None = None
    use_cache: bool = True


class Rotary(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.rope_type = config.rope_parameters["rope_type"]
        inv_freq, self.attention_scaling = ROPE_INIT_FUNCTIONS[self.rope_type](config, None)
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    @torch.no_grad()
    @dynamic_rope_update
    def forward(self, x, position_ids):
        angles = position_ids[:, :, None].float() * self.inv_freq
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos() * self.attention_scaling, angles.sin() * self.attention_scaling


def turned(x, cos, sin):
    half = x.shape[-1] // 2
    other = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * cos[:, None] + other * sin[:, None]


def eager(module, query, key, value, attention_mask, scaling, **kwargs):
    groups = module.num_key_value_groups
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.transpose(2, 3) * scaling
    scores = scores if attention_mask is None else scores + attention_mask
    weights = scores.softmax(-1)
    return (weights @ value).transpose(1, 2).contiguous(), weights


class Attention(nn.Module):
    def __init__(self, config, layer_idx):
        super().__init__()
        self.config, self.layer_idx = config, layer_idx
        self.is_causal = True
        self.width = config.hidden_size // config.num_attention_heads
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.q = nn.Linear(config.hidden_size, config.hidden_size)
        self.kv = nn.Linear(config.hidden_size, 2 * config.num_key_value_heads * self.width)

    def forward(self, x, mask, rotations=None, cache=None, **kwargs: Unpack[FlashAttentionKwargs]):
        batch, length, _ = x.shape
        q = self.q(x).view(batch, length, -1, self.width).transpose(1, 2)
        k, v = self.kv(x).view(batch, length, -1, self.width).transpose(1, 2).chunk(2, dim=1)
        if rotations is not None:
            q, k = turned(q, *rotations), turned(k, *rotations)
        if cache is not None:
            k, v = cache.update(k, v, self.layer_idx)
        attend: Callable = ALL_ATTENTION_FUNCTIONS.get_interface(
            self.config._attn_implementation, eager
        )
        out, _ = attend(self, q, k, v, mask, scaling=self.width**-0.5, **kwargs)
        return out.reshape(batch, length, -1)


@use_kernel_forward_from_hub("RMSNorm")
class TinyRMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Layer(GradientCheckpointingLayer):
    def __init__(self, config, layer_idx):
        super().__init__()
        self.norm = TinyRMSNorm(config.hidden_size)
        self.attention = Attention(config, layer_idx)

    @deprecate_kwarg("past_key_values", version="9.0", new_name="cache")
    def forward(self, x, mask, rotations=None, cache=None, **kwargs):
        return x + self.attention(self.norm(x), mask, rotations, cache, **kwargs)


class Tiny(PreTrainedModel):
    config: TinyConfig
    config_class = TinyConfig
    base_model_prefix = "model"
    _supports_sdpa = True
    _can_record_outputs = {"hidden_states": Layer}

    @torch.no_grad()
    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            init.normal_(module.weight, std=self.config.initializer_range)
            init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.trunc_normal_(module.weight, std=0.3)


class Decoder(Tiny):
    def __init__(self, config):
        super().__init__(config)
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        layers = range(config.num_hidden_layers)
        self.layers = nn.ModuleList(Layer(config, it) for it in layers)
        self.rotary = Rotary(config)
        self.post_init()

    @merge_with_config_defaults
    @capture_outputs
    def forward(self, ids, attention_mask=None, cache=None, use_cache=None, **kwargs):
        x = self.words(ids)
        cache = DynamicCache(config=self.config) if use_cache and cache is None else cache
        places = torch.arange(ids.shape[1])[None]
        told = {"attention_mask": attention_mask, "cache": cache, "position_ids": places}
        masks = [
            create_causal_mask(config=self.config, inputs_embeds=x, **told),
            create_sliding_window_causal_mask(config=self.config, inputs_embeds=x, **told),
        ]
        rotations = self.rotary(x, places)
        for layer, mask in zip(self.layers, masks):
            x = layer(x, mask, rotations, cache=cache)
        return CausalLMOutputWithPast(logits=x, cache=cache)


class Encoder(Tiny):
    def __init__(self, config):
        super().__init__(config)
        self.layer = Layer(config, 0)
        self.bias = nn.Parameter(torch.linspace(-1, 1, 36).view(1, 1, 6, 6))
        self.post_init()

    def forward(self, x, attention_mask):
        mask = create_bidirectional_mask(self.config, x, attention_mask)
        if self.config._attn_implementation == "sdpa":
            return self.layer(x, mask, is_causal=False, position_bias=self.bias)
        return self.layer(x, mask)


class TinyForCausalLM(Tiny):
    def __init__(self, config):
        super().__init__(config)
        self.model = Decoder(config)
        self.encoder = Encoder(config)
        self.written_out = Encoder(TinyConfig(attn_implementation="eager"))
        self.head = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    @can_return_tuple
    def forward(self, ids, mask, labels=None, logits_to_keep=0, **kwargs: Unpack[TransformersKwargs]):
        whole = self.model(ids).logits
        padded = self.model(ids, mask, use_cache=False).logits
        x = self.encoder(whole + padded, mask) + self.written_out(whole, mask)
        x = self.written_out(x, None) + self.encoder(x, None)
        logits = self.head(slice_logits_to_keep(x, logits_to_keep))
        loss = self.loss_function(logits=logits, labels=labels, vocab_size=23, **kwargs)
        return CausalLMOutputWithPast(loss=loss, logits=logits)


def build():
    scaled = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0}
    scaled |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 16, "rope_theta": 50.0}
    assert TinyConfig().rope_parameters == {"rope_theta": 10000.0, "rope_type": "default"}
    return TinyForCausalLM(TinyConfig(rope_parameters=scaled))


def step(model):
    ids = torch.arange(12).view(2, 6) % 23
    mask = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]])
    output = model(ids, mask, labels=ids)
    assert model.head.bias.abs().sum() == 0 and isinstance(model(ids, mask, ids, return_dict=False), tuple)
    return output.loss
