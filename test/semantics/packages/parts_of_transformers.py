"""A model file of the kind that stands on the Hub: config, base class, outputs, activations, a cache."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from transformers import DynamicCache, GenerationMixin, PretrainedConfig, PreTrainedModel
from transformers.activations import ACT2FN
from transformers.modeling_outputs import BaseModelOutputWithPast, CausalLMOutputWithPast
from transformers.utils import ModelOutput, logging

# Values within the package are its own affair.
GOLDEN = ("parameters", "modules")
logger = logging.get_logger(__name__)


class TinyConfig(PretrainedConfig):
    model_type = "tiny"
    attribute_map = {"num_hidden_layers": "n_layer"}

    def __init__(self, vocab_size=23, hidden_size=16, n_layer=2, n_head=2, hidden_act="gelu_new", **kwargs):
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.n_layer = n_layer
        self.n_head = n_head
        self.hidden_act = hidden_act
        self.initializer_range = 0.05
        super().__init__(**kwargs)


class FieldConfig(PretrainedConfig):
    width: int = 16
    act: str = "quick_gelu"


@dataclass
class TwoParts(ModelOutput):
    first: torch.Tensor | None = None
    second: torch.Tensor | None = None
    missing: torch.Tensor | None = None


class TinyRMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.full((width,), 3.0))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Layer(nn.Module):
    def __init__(self, config, layer_idx):
        super().__init__()
        self.layer_idx = layer_idx
        self.heads = config.n_head
        self.norm = TinyRMSNorm(config.hidden_size)
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out = nn.Linear(config.hidden_size, config.hidden_size)
        self.act = ACT2FN[config.hidden_act]
        self.mlp = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x, cache):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        k, v = cache.update(k, v, self.layer_idx)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.act(x))


class TinyPreTrainedModel(PreTrainedModel):
    config_class = TinyConfig
    base_model_prefix = "model"


class TinyModel(TinyPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=0)
        self.layers = nn.ModuleList(Layer(config, i) for i in range(config.num_hidden_layers))
        self.norm = nn.LayerNorm(config.hidden_size)
        self.post_init()

    def forward(self, input_ids, past_key_values=None):
        cache = DynamicCache() if past_key_values is None else past_key_values
        logger.warning_once("said once")
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x, cache)
        return BaseModelOutputWithPast(last_hidden_state=self.norm(x), past_key_values=cache)


class TinyForCausalLM(TinyPreTrainedModel, GenerationMixin):
    _tied_weights_keys = {"lm_head.weight": "model.embed_tokens.weight"}

    def __init__(self, config):
        super().__init__(config)
        self.model = TinyModel(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.fields = FieldConfig(act="gelu_fast", extra=5)
        self.last = ACT2FN[self.fields.act]
        self.post_init()

    def forward(self, input_ids, labels=None):
        out = self.model(input_ids)
        again = self.model(input_ids[:, -1:], past_key_values=out.past_key_values)
        logits = self.lm_head(out[0])
        parts = TwoParts(first=again["last_hidden_state"].mean())
        assert len(parts.to_tuple()) == 1 and parts[0] is parts.first and list(parts) == ["first"]
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits[:, :-1].reshape(-1, self.config.vocab_size), labels[:, 1:].reshape(-1))
            loss = loss + self.last(parts.first)
        return CausalLMOutputWithPast(loss=loss, logits=logits, past_key_values=out.past_key_values)


def build():
    config = TinyConfig(num_labels=5, tie_word_embeddings=True, note="kept")
    assert config.num_labels == 5 and config.note == "kept" and config.return_dict
    assert config.num_hidden_layers == 2 and FieldConfig().width == 16
    assert config.to_dict()["hidden_size"] == 16 and config.to_dict()["model_type"] == "tiny"
    return TinyForCausalLM(config)


def step(model):
    ids = torch.randint(1, 23, (2, 6))
    assert model.get_input_embeddings() is model.model.embed_tokens
    return model(ids, labels=ids)["loss"]
