"""Attention: projections and norms, computed with by a processor."""

import inspect

import torch
import torch.nn.functional as F
from torch import nn

from ._processors import (
    AttnAddedKVProcessor,
    AttnAddedKVProcessor2_0,
    AttnProcessor,
    AttnProcessor2_0,
    CogVideoXAttnProcessor2_0,  # noqa: F401
    JointAttnProcessor2_0,  # noqa: F401
)
from .normalization import FP32LayerNorm, LpNorm, RMSNorm


class SpatialNorm(nn.Module):
    """group_norm(f) (Y zq) + B zq, zq stretched to f's size (arXiv:2209.09002)."""

    def __init__(self, f_channels, zq_channels):
        super().__init__()
        self.norm_layer = nn.GroupNorm(32, f_channels, eps=1e-6)
        self.conv_y = nn.Conv2d(zq_channels, f_channels, 1)
        self.conv_b = nn.Conv2d(zq_channels, f_channels, 1)

    def forward(self, f, zq):
        zq = F.interpolate(zq, size=f.shape[-2:], mode="nearest")
        return self.norm_layer(f) * self.conv_y(zq) + self.conv_b(zq)


class Attention(nn.Module):
    """Attention of tokens (B, L, query_dim), or of an image, to themselves or to `encoder_hidden_states`."""

    def __init__(
        self,
        query_dim,
        cross_attention_dim=None,
        heads=8,
        kv_heads=None,
        dim_head=64,
        dropout=0.0,
        bias=False,
        upcast_attention=False,
        upcast_softmax=False,
        cross_attention_norm=None,
        cross_attention_norm_num_groups=32,
        qk_norm=None,
        added_kv_proj_dim=None,
        added_proj_bias=True,
        norm_num_groups=None,
        spatial_norm_dim=None,
        out_bias=True,
        scale_qk=True,
        only_cross_attention=False,
        eps=1e-5,
        rescale_output_factor=1.0,
        residual_connection=False,
        _from_deprecated_attn_block=False,
        processor=None,
        out_dim=None,
        out_context_dim=None,
        context_pre_only=None,
        pre_only=False,
        elementwise_affine=True,
        is_causal=False,
    ):
        super().__init__()
        if added_kv_proj_dim is None and only_cross_attention:
            raise ValueError(
                "`only_cross_attention` can only be set to True if `added_kv_proj_dim` is not None."
            )
        self.inner_dim = dim_head * heads if out_dim is None else out_dim
        self.inner_kv_dim = self.inner_dim if kv_heads is None else dim_head * kv_heads
        self.query_dim, self.use_bias, self.dropout = query_dim, bias, dropout
        self.is_cross_attention = cross_attention_dim is not None
        self.cross_attention_dim = query_dim if cross_attention_dim is None else cross_attention_dim
        self.upcast_attention, self.upcast_softmax = upcast_attention, upcast_softmax
        self.rescale_output_factor = rescale_output_factor
        self.residual_connection = residual_connection
        self.fused_projections = False
        self.out_dim = query_dim if out_dim is None else out_dim
        self.out_context_dim = query_dim if out_context_dim is None else out_context_dim
        self.context_pre_only, self.pre_only = context_pre_only, pre_only
        self.is_causal, self.scale_qk = is_causal, scale_qk
        self._from_deprecated_attn_block = _from_deprecated_attn_block
        self.scale = dim_head**-0.5 if scale_qk else 1.0
        self.heads = heads if out_dim is None else out_dim // dim_head
        self.sliceable_head_dim = heads
        self.added_kv_proj_dim = added_kv_proj_dim
        self.only_cross_attention = only_cross_attention
        self.added_proj_bias = added_proj_bias

        self.group_norm = self.spatial_norm = None
        if norm_num_groups is not None:
            self.group_norm = nn.GroupNorm(norm_num_groups, query_dim, eps=eps)
        if spatial_norm_dim is not None:
            self.spatial_norm = SpatialNorm(query_dim, spatial_norm_dim)
        sizes = (dim_head, heads, kv_heads)
        self.norm_q, self.norm_k = _norms_of(qk_norm, sizes, eps, elementwise_affine)
        self.norm_cross = self._norm_of_context(
            cross_attention_norm, cross_attention_norm_num_groups
        )
        self._add_projections(bias, out_bias)
        self.norm_added_q = self.norm_added_k = None
        if qk_norm is not None and added_kv_proj_dim is not None:
            self.norm_added_q, self.norm_added_k = _added_norms_of(
                qk_norm, sizes, eps, elementwise_affine
            )
        self.set_processor(self._usual_processor() if processor is None else processor)

    def _norm_of_context(self, name, groups):
        if name is None:
            return None
        if name == "layer_norm":
            return nn.LayerNorm(self.cross_attention_dim)
        if name == "group_norm":
            added = self.added_kv_proj_dim
            return nn.GroupNorm(groups, self.cross_attention_dim if added is None else added)
        raise ValueError(
            f"unknown cross_attention_norm: {name}. Should be None, 'layer_norm' or 'group_norm'"
        )

    def _add_projections(self, bias, out_bias):
        added, kv_width = self.added_kv_proj_dim, self.inner_kv_dim
        self.to_q = nn.Linear(self.query_dim, self.inner_dim, bias=bias)
        self.to_k = self.to_v = None
        if not self.only_cross_attention:
            self.to_k = nn.Linear(self.cross_attention_dim, kv_width, bias=bias)
            self.to_v = nn.Linear(self.cross_attention_dim, kv_width, bias=bias)
        if added is None:
            self.add_q_proj = self.add_k_proj = self.add_v_proj = None
        else:
            self.add_k_proj = nn.Linear(added, kv_width, bias=self.added_proj_bias)
            self.add_v_proj = nn.Linear(added, kv_width, bias=self.added_proj_bias)
            if self.context_pre_only is not None:
                self.add_q_proj = nn.Linear(added, self.inner_dim, bias=self.added_proj_bias)
        self.to_out = self.to_add_out = None
        if not self.pre_only:
            out = nn.Linear(self.inner_dim, self.out_dim, bias=out_bias)
            self.to_out = nn.ModuleList([out, nn.Dropout(self.dropout)])
        if self.context_pre_only is not None and not self.context_pre_only:
            self.to_add_out = nn.Linear(self.inner_dim, self.out_context_dim, bias=out_bias)

    def _usual_processor(self):
        return AttnProcessor2_0() if self.scale_qk else AttnProcessor()

    def set_processor(self, processor):
        if "processor" in self._modules and not isinstance(processor, nn.Module):
            self._modules.pop("processor")
        self.processor = processor

    def get_processor(self, return_deprecated_lora=False):
        return None if return_deprecated_lora else self.processor

    def set_use_memory_efficient_attention_xformers(self, *args, **kwargs):
        """Only speed and memory are at stake: the numbers are the same."""

    def set_attention_slice(self, slice_size):
        """Only memory is at stake: the numbers are the same."""
        is_plain = self.added_kv_proj_dim is None
        self.set_processor(self._usual_processor() if is_plain else AttnAddedKVProcessor())

    def forward(
        self,
        hidden_states,
        encoder_hidden_states=None,
        attention_mask=None,
        **cross_attention_kwargs,
    ):
        known = inspect.signature(self.processor.__call__).parameters
        return self.processor(
            self,
            hidden_states,
            encoder_hidden_states=encoder_hidden_states,
            attention_mask=attention_mask,
            **{name: it for name, it in cross_attention_kwargs.items() if name in known},
        )

    def batch_to_head_dim(self, tensor):
        """(B · heads, L, D) → (B, L, heads · D)"""
        return tensor.unflatten(0, (-1, self.heads)).transpose(1, 2).flatten(2)

    def head_to_batch_dim(self, tensor, out_dim=3):
        """(B, L, heads · D), or (B, E, L, heads · D) → (B · heads, E · L, D), or (B, heads, E · L, D) for 4."""
        tokens = tensor if tensor.ndim == 3 else tensor.flatten(1, 2)
        heads = tokens.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        return heads.flatten(0, 1) if out_dim == 3 else heads

    def get_attention_scores(self, query, key, attention_mask=None):
        """softmax(q kᵀ · scale + mask), in float32 where asked."""
        dtype = query.dtype
        if self.upcast_attention:
            query, key = query.float(), key.float()
        if attention_mask is None:
            scores = self.scale * torch.bmm(query, key.transpose(-1, -2))
        else:
            scores = torch.baddbmm(
                attention_mask, query, key.transpose(-1, -2), beta=1, alpha=self.scale
            )
        if self.upcast_softmax:
            scores = scores.float()
        return scores.softmax(dim=-1).to(dtype)

    def prepare_attention_mask(self, attention_mask, target_length, batch_size, out_dim=3):
        """A mask (B, Q, K) for each head: (B · heads, Q, K), or (B, heads, Q, K) for 4."""
        if attention_mask is None:
            return None
        if attention_mask.shape[-1] != target_length:
            # So many zeros more, as the real one adds them.
            attention_mask = F.pad(attention_mask, (0, target_length), value=0.0)
        if out_dim == 4:
            return attention_mask.unsqueeze(1).repeat_interleave(self.heads, dim=1)
        if attention_mask.shape[0] < batch_size * self.heads:
            return attention_mask.repeat_interleave(self.heads, dim=0)
        return attention_mask

    def norm_encoder_hidden_states(self, encoder_hidden_states):
        assert self.norm_cross is not None, (
            "self.norm_cross must be defined to call self.norm_encoder_hidden_states"
        )
        if isinstance(self.norm_cross, nn.LayerNorm):
            return self.norm_cross(encoder_hidden_states)
        return self.norm_cross(encoder_hidden_states.transpose(1, 2)).transpose(1, 2)


def _norms_of(name, sizes, eps, affine):
    """Norms of queries and of keys."""
    width, heads, kv_heads = sizes
    if name is None:
        return None, None
    if name == "layer_norm":
        return _twice(lambda: nn.LayerNorm(width, eps=eps, elementwise_affine=affine))
    if name == "fp32_layer_norm":
        return _twice(lambda: FP32LayerNorm(width, eps, elementwise_affine=False, bias=False))
    if name == "layer_norm_across_heads":
        return nn.LayerNorm(width * heads, eps=eps), nn.LayerNorm(width * kv_heads, eps=eps)
    if name == "rms_norm":
        return _twice(lambda: RMSNorm(width, eps=eps, elementwise_affine=affine))
    if name == "rms_norm_across_heads":
        return RMSNorm(width * heads, eps=eps), RMSNorm(width * kv_heads, eps=eps)
    if name == "l2":
        return _twice(lambda: LpNorm(p=2, dim=-1, eps=eps))
    raise ValueError(
        f"unknown qk_norm: {name}. Should be one of None, 'layer_norm', 'fp32_layer_norm', "
        "'layer_norm_across_heads', 'rms_norm', 'rms_norm_across_heads', 'l2'."
    )


def _added_norms_of(name, sizes, eps, affine):
    """Norms of the queries and keys of a text."""
    width, _, kv_heads = sizes
    if name == "rms_norm":
        return _twice(lambda: RMSNorm(width, eps=eps))
    if name == "rms_norm_across_heads":
        return None, RMSNorm(width * kv_heads, eps=eps)
    if name in ("layer_norm", "fp32_layer_norm"):
        return _norms_of(name, sizes, eps, affine)
    raise ValueError(
        f"unknown qk_norm: {name}. Should be one of `None,'layer_norm','fp32_layer_norm','rms_norm'`"
    )


def _twice(make):
    return make(), make()


ADDED_KV_ATTENTION_PROCESSORS = (AttnAddedKVProcessor, AttnAddedKVProcessor2_0)
CROSS_ATTENTION_PROCESSORS = (AttnProcessor, AttnProcessor2_0)
AttentionProcessor = (
    AttnProcessor | AttnProcessor2_0 | AttnAddedKVProcessor | AttnAddedKVProcessor2_0
)
