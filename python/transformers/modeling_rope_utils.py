"""Frequencies of rotary positions: those that stay as they are. Ones that follow the length are refused."""

import functools
import sys
from typing import TypedDict

import torch
from normscope_boot.imports import give_placeholders
from torch._unsupported import unsupported


class RopeParameters(TypedDict, total=False):
    rope_theta: float
    rope_type: str
    factor: float


def rope_config_validation(config, ignore_keys=None):
    """What the configs of a run say is not checked."""


def dynamic_rope_update(rope_forward):
    """The forward of a rotation, whose frequencies do not change here."""

    @functools.wraps(rope_forward)
    def forward(self, x, position_ids, layer_type=None):
        kind = self.rope_type if layer_type is None else self.rope_type[layer_type]
        if "dynamic" in kind or kind == "longrope":
            raise unsupported(f"rotary positions of the type {kind!r}")
        options = {} if layer_type is None else {"layer_type": layer_type}
        return rope_forward(self, x, position_ids, **options)

    return forward


def _parameters(config, layer_type):
    given = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    given = given if layer_type is None else given[layer_type]
    return {"rope_theta": getattr(config, "rope_theta", 10000.0), **given}


def _frequencies(config, layer_type):
    """theta^(-2i/d) of the d features of a head that are turned."""
    given = _parameters(config, layer_type)
    width = getattr(config, "head_dim", None)
    width = width or config.hidden_size // config.num_attention_heads
    share = given.get("partial_rotary_factor", getattr(config, "partial_rotary_factor", 1.0))
    width = int(width * share)
    steps = torch.arange(0, width, 2, dtype=torch.int64).float() / width
    return 1.0 / given["rope_theta"] ** steps


def _default(config, device=None, seq_len=None, layer_type=None):
    return _frequencies(config, layer_type), 1.0


def _linear(config, device=None, seq_len=None, layer_type=None):
    return _frequencies(config, layer_type) / _parameters(config, layer_type)["factor"], 1.0


def _llama3(config, device=None, seq_len=None, layer_type=None):
    """Slow waves are stretched, fast ones are not, those between in part."""
    given = _parameters(config, layer_type)
    frequencies = _frequencies(config, layer_type)
    factor, slow, fast = (given[it] for it in ("factor", "low_freq_factor", "high_freq_factor"))
    context = given["original_max_position_embeddings"]
    waves = 2 * torch.pi / frequencies
    stretched = torch.where(waves > context / slow, frequencies / factor, frequencies)
    share = (context / waves - slow) / (fast - slow)
    between = (1 - share) * stretched / factor + share * stretched
    is_between = ~(waves < context / fast) * ~(waves > context / slow)
    return torch.where(is_between, between, stretched), 1.0


ROPE_INIT_FUNCTIONS = {"default": _default, "linear": _linear, "llama3": _llama3}

give_placeholders(sys.modules[__name__])
