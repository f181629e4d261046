"""MultiheadAttention."""

from ..._call import call
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module


def _parameter(*sizes, device, dtype):
    return Parameter(call("empty", (sizes,), {"dtype": dtype, "device": device}))


class MultiheadAttention(Module):
    """Attention in `num_heads` subspaces, with projections of query, key, value and output.

    The three input projections are one weight [3 · E, E] unless key or value have another width.
    """

    __constants__ = ["batch_first"]

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, "
                f"got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._add_weights(bias, add_bias_kv, {"device": device, "dtype": dtype})
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _add_weights(self, bias, add_bias_kv, factory):
        width = self.embed_dim
        if self._qkv_same_embed_dim:
            self.in_proj_weight = _parameter(3 * width, width, **factory)
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = _parameter(width, width, **factory)
            self.k_proj_weight = _parameter(width, self.kdim, **factory)
            self.v_proj_weight = _parameter(width, self.vdim, **factory)
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = _parameter(3 * width, **factory)
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(width, width, bias=bias, **factory)
        if add_bias_kv:
            self.bias_k = _parameter(1, 1, width, **factory)
            self.bias_v = _parameter(1, 1, width, **factory)
        else:
            self.bias_k = self.bias_v = None

    def _reset_parameters(self):
        if self._qkv_same_embed_dim:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            init.xavier_uniform_(self.q_proj_weight)
            init.xavier_uniform_(self.k_proj_weight)
            init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            init.xavier_normal_(self.bias_v)

    def forward(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        key_padding_mask = F._canonical_mask(key_padding_mask, "key_padding_mask", query.dtype)
        attn_mask = F._canonical_mask(attn_mask, "attn_mask", query.dtype)
        turned = self.batch_first and query.dim() == 3
        if turned:
            query, key, value = _turned(query, key, value)
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (output.transpose(1, 0) if turned else output), weights


def _turned(query, key, value):
    """Batch axis second; keys that are the values stay one tensor with them, and with a query that is these."""
    new_query = query.transpose(1, 0)
    if key is not value:
        return new_query, key.transpose(1, 0), value.transpose(1, 0)
    new_key = new_query if query is key else key.transpose(1, 0)
    return new_query, new_key, new_key
