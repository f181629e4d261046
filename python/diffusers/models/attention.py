"""Feed-forward layers, and the block of a transformer."""

import torch
from torch import nn

from .activations import GEGLU, GELU, ApproximateGELU, FP32SiLU, LinearActivation, SwiGLU
from .attention_processor import Attention, JointAttnProcessor2_0
from .embeddings import SinusoidalPositionalEmbedding
from .normalization import (
    AdaLayerNorm,
    AdaLayerNormContinuous,
    AdaLayerNormZero,
    SD35AdaLayerNormZeroX,
)

_ACTIVATIONS = {
    "gelu": GELU,
    "gelu-approximate": lambda dim, inner, bias: GELU(dim, inner, approximate="tanh", bias=bias),
    "geglu": GEGLU,
    "geglu-approximate": ApproximateGELU,
    "swiglu": SwiGLU,
    "linear-silu": LinearActivation,
}

_NORM_TYPES = (
    *("layer_norm", "layer_norm_i2vgen"),
    *("ada_norm", "ada_norm_zero", "ada_norm_single", "ada_norm_continuous"),
)


class FeedForward(nn.Module):
    """W₂ dropout(act(W₁ x)), act one that has its own W₁."""

    def __init__(
        self,
        dim,
        dim_out=None,
        mult=4,
        dropout=0.0,
        activation_fn="geglu",
        final_dropout=False,
        inner_dim=None,
        bias=True,
    ):
        super().__init__()
        if activation_fn not in _ACTIVATIONS:
            raise ValueError(
                f"FeedForward: activation_fn is one of {', '.join(_ACTIVATIONS)}, not {activation_fn!r}"
            )
        inner_dim = int(dim * mult) if inner_dim is None else inner_dim
        self.net = nn.ModuleList(
            [
                _ACTIVATIONS[activation_fn](dim, inner_dim, bias=bias),
                nn.Dropout(dropout),
                nn.Linear(inner_dim, dim if dim_out is None else dim_out, bias=bias),
            ]
        )
        if final_dropout:
            self.net.append(nn.Dropout(dropout))

    def forward(self, hidden_states, *args, **kwargs):
        for module in self.net:
            hidden_states = module(hidden_states)
        return hidden_states


class LuminaFeedForward(nn.Module):
    """W₂ (silu(W₁ x) · W₃ x), of a width that `multiple_of` divides."""

    def __init__(self, dim, inner_dim, multiple_of=256, ffn_dim_multiplier=None):
        super().__init__()
        if ffn_dim_multiplier is not None:
            inner_dim = int(ffn_dim_multiplier * inner_dim)
        inner_dim = multiple_of * ((inner_dim + multiple_of - 1) // multiple_of)
        self.linear_1 = nn.Linear(dim, inner_dim, bias=False)
        self.linear_2 = nn.Linear(inner_dim, dim, bias=False)
        self.linear_3 = nn.Linear(dim, inner_dim, bias=False)
        self.silu = FP32SiLU()

    def forward(self, x):
        return self.linear_2(self.silu(self.linear_1(x)) * self.linear_3(x))


def _chunked_feed_forward(ff, hidden_states, chunk_dim, chunk_size):
    size = hidden_states.shape[chunk_dim]
    if size % chunk_size != 0:
        raise ValueError(f"a dimension of {size} is not divisible by the chunks' size {chunk_size}")
    chunks = hidden_states.chunk(size // chunk_size, dim=chunk_dim)
    return torch.cat([ff(it) for it in chunks], dim=chunk_dim)


class _Chunking(nn.Module):
    """A block whose feed-forward layers can take a part of the tokens at a time."""

    _chunk_size, _chunk_dim = None, 0

    def set_chunk_feed_forward(self, chunk_size, dim=0):
        self._chunk_size, self._chunk_dim = chunk_size, dim

    def _fed(self, ff, x):
        if self._chunk_size is None:
            return ff(x)
        return _chunked_feed_forward(ff, x, self._chunk_dim, self._chunk_size)


class BasicTransformerBlock(_Chunking):
    """Attention to itself, to a context, and a feed-forward layer, each after a norm of a kind."""

    def __init__(
        self,
        dim,
        num_attention_heads,
        attention_head_dim,
        dropout=0.0,
        cross_attention_dim=None,
        activation_fn="geglu",
        num_embeds_ada_norm=None,
        attention_bias=False,
        only_cross_attention=False,
        double_self_attention=False,
        upcast_attention=False,
        norm_elementwise_affine=True,
        norm_type="layer_norm",
        norm_eps=1e-5,
        final_dropout=False,
        attention_type="default",
        positional_embeddings=None,
        num_positional_embeddings=None,
        ada_norm_continous_conditioning_embedding_dim=None,
        ada_norm_bias=None,
        ff_inner_dim=None,
        ff_bias=True,
        attention_out_bias=True,
    ):
        super().__init__()
        if attention_type != "default":
            raise NotImplementedError(
                f"BasicTransformerBlock: attention_type {attention_type!r} is not supported"
            )
        if norm_type in ("ada_norm", "ada_norm_zero") and num_embeds_ada_norm is None:
            raise ValueError(
                f"`norm_type` is set to {norm_type}, but `num_embeds_ada_norm` is not defined."
            )
        if norm_type not in _NORM_TYPES:
            raise ValueError(
                f"BasicTransformerBlock: norm_type is one of {', '.join(_NORM_TYPES)}, not {norm_type!r}"
            )
        self.dim, self.norm_type = dim, norm_type
        self.only_cross_attention = only_cross_attention
        self.use_ada_layer_norm_zero = norm_type == "ada_norm_zero"
        self.use_ada_layer_norm = norm_type == "ada_norm"
        self.use_ada_layer_norm_single = norm_type == "ada_norm_single"
        self.use_layer_norm = norm_type == "layer_norm"
        self.use_ada_layer_norm_continuous = norm_type == "ada_norm_continuous"
        self.pos_embed = None
        if positional_embeddings == "sinusoidal":
            self.pos_embed = SinusoidalPositionalEmbedding(dim, num_positional_embeddings)

        def plain():
            return nn.LayerNorm(dim, norm_eps, norm_elementwise_affine)

        def adapted():
            return AdaLayerNorm(dim, num_embeds_ada_norm)

        def continuous(kind):
            width = ada_norm_continous_conditioning_embedding_dim
            affine = norm_elementwise_affine
            return AdaLayerNormContinuous(dim, width, affine, norm_eps, ada_norm_bias, kind)

        def norm(kind="rms_norm"):
            return continuous(kind) if self.use_ada_layer_norm_continuous else plain()

        def attention(context_dim):
            return Attention(
                query_dim=dim,
                cross_attention_dim=context_dim,
                heads=num_attention_heads,
                dim_head=attention_head_dim,
                dropout=dropout,
                bias=attention_bias,
                upcast_attention=upcast_attention,
                out_bias=attention_out_bias,
            )

        if self.use_ada_layer_norm_zero:
            self.norm1 = AdaLayerNormZero(dim, num_embeds_ada_norm)
        else:
            self.norm1 = adapted() if self.use_ada_layer_norm else norm()
        self.attn1 = attention(cross_attention_dim if only_cross_attention else None)
        self.norm2 = self.attn2 = None
        if cross_attention_dim is not None or double_self_attention:
            self.norm2 = adapted() if self.use_ada_layer_norm else norm()
            self.attn2 = attention(None if double_self_attention else cross_attention_dim)
        elif self.use_ada_layer_norm_single:
            self.norm2 = plain()
        if not self.use_ada_layer_norm_single:
            self.norm3 = None if norm_type == "layer_norm_i2vgen" else norm("layer_norm")
        self.ff = FeedForward(
            dim,
            dropout=dropout,
            activation_fn=activation_fn,
            final_dropout=final_dropout,
            inner_dim=ff_inner_dim,
            bias=ff_bias,
        )
        if self.use_ada_layer_norm_single:
            self.scale_shift_table = nn.Parameter(torch.randn(6, dim) / dim**0.5)

    def forward(
        self,
        hidden_states,
        attention_mask=None,
        encoder_hidden_states=None,
        encoder_attention_mask=None,
        timestep=None,
        cross_attention_kwargs=None,
        class_labels=None,
        added_cond_kwargs=None,
    ):
        kwargs = cross_attention_kwargs or {}
        condition = self._condition(timestep, added_cond_kwargs)
        x = hidden_states
        normed, gate, of_mlp = self._first_norm(x, timestep, class_labels, condition)
        out = self.attn1(
            self._placed(normed),
            encoder_hidden_states=encoder_hidden_states if self.only_cross_attention else None,
            attention_mask=attention_mask,
            **kwargs,
        )
        x = _flat(_gated(gate, out) + x)
        if self.attn2 is not None:
            normed = x
            if not self.use_ada_layer_norm_single:
                normed = self._placed(self.norm2(x, *condition))
            out = self.attn2(
                normed,
                encoder_hidden_states=encoder_hidden_states,
                attention_mask=encoder_attention_mask,
                **kwargs,
            )
            x = out + x
        return _flat(self._fed_forward(x, timestep, condition, of_mlp))

    def _condition(self, timestep, added_cond_kwargs):
        """What a norm takes beside its input."""
        if self.use_ada_layer_norm_continuous:
            return (added_cond_kwargs["pooled_text_emb"],)
        return (timestep,) if self.use_ada_layer_norm else ()

    def _first_norm(self, x, timestep, class_labels, condition):
        """The input of the attention, its gate, and shift, scale and gate of the feed-forward layer."""
        if self.use_ada_layer_norm_zero:
            normed, gate, *of_mlp = self.norm1(x, timestep, class_labels, hidden_dtype=x.dtype)
            return normed, gate[:, None], [it[:, None] for it in of_mlp]
        if self.use_ada_layer_norm_single:
            vectors = self.scale_shift_table[None] + timestep.reshape(len(x), 6, -1)
            shift, scale, gate, *of_mlp = vectors.chunk(6, dim=1)
            return self.norm1(x) * (1 + scale) + shift, gate, of_mlp
        return self.norm1(x, *condition), None, None

    def _placed(self, x):
        return x if self.pos_embed is None else self.pos_embed(x)

    def _fed_forward(self, x, timestep, condition, of_mlp):
        if self.use_ada_layer_norm_single:
            normed = self.norm2(x)
        elif self.use_ada_layer_norm:
            normed = self.norm3(x)
        else:
            normed = self.norm3(x, *condition)
        if of_mlp is None:
            return self._fed(self.ff, normed) + x
        shift, scale, gate = of_mlp
        return gate * self._fed(self.ff, normed * (1 + scale) + shift) + x


def _gated(gate, x):
    return x if gate is None else gate * x


def _flat(x):
    return x.squeeze(1) if x.ndim == 4 else x


class JointTransformerBlock(_Chunking):
    """An image's and a text's tokens in one attention, each with its own layers (arXiv:2403.03206)."""

    def __init__(
        self,
        dim,
        num_attention_heads,
        attention_head_dim,
        context_pre_only=False,
        qk_norm=None,
        use_dual_attention=False,
    ):
        super().__init__()
        self.use_dual_attention, self.context_pre_only = use_dual_attention, context_pre_only
        self.norm1 = SD35AdaLayerNormZeroX(dim) if use_dual_attention else AdaLayerNormZero(dim)
        if context_pre_only:
            self.norm1_context = AdaLayerNormContinuous(dim, dim, False, 1e-6)
        else:
            self.norm1_context = AdaLayerNormZero(dim)

        def attention(**options):
            return Attention(
                query_dim=dim,
                dim_head=attention_head_dim,
                heads=num_attention_heads,
                out_dim=dim,
                bias=True,
                processor=JointAttnProcessor2_0(),
                qk_norm=qk_norm,
                eps=1e-6,
                **options,
            )

        def feed_forward():
            return FeedForward(dim, dim_out=dim, activation_fn="gelu-approximate")

        self.attn = attention(added_kv_proj_dim=dim, context_pre_only=context_pre_only)
        self.attn2 = attention() if use_dual_attention else None
        self.norm2 = nn.LayerNorm(dim, elementwise_affine=False, eps=1e-6)
        self.ff = feed_forward()
        self.norm2_context = self.ff_context = None
        if not context_pre_only:
            self.norm2_context = nn.LayerNorm(dim, elementwise_affine=False, eps=1e-6)
            self.ff_context = feed_forward()

    def forward(self, hidden_states, encoder_hidden_states, temb, joint_attention_kwargs=None):
        """(text, image) of (B, L, dim); None for the text after the last block."""
        kwargs = joint_attention_kwargs or {}
        image, text = hidden_states, encoder_hidden_states
        normed, gate, *of_mlp = self.norm1(image, emb=temb)
        if self.context_pre_only:
            normed_text = self.norm1_context(text, temb)
        else:
            normed_text, text_gate, *of_text_mlp = self.norm1_context(text, emb=temb)
        out, text_out = self.attn(normed, encoder_hidden_states=normed_text, **kwargs)
        image = image + gate.unsqueeze(1) * out
        if self.use_dual_attention:
            *of_mlp, normed, gate = of_mlp
            image = image + gate.unsqueeze(1) * self.attn2(normed, **kwargs)
        image = self._fed_modulated(image, self.norm2, self.ff, of_mlp)
        if self.context_pre_only:
            return None, image
        text = text + text_gate.unsqueeze(1) * text_out
        return self._fed_modulated(text, self.norm2_context, self.ff_context, of_text_mlp), image

    def _fed_modulated(self, x, norm, ff, of_mlp):
        shift, scale, gate = (it[:, None] for it in of_mlp)
        return x + gate * self._fed(ff, norm(x) * (1 + scale) + shift)
