"""Norms, plain ones and those that a condition scales and shifts."""

import numbers

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import LayerNorm

from .activations import get_activation
from .embeddings import CombinedTimestepLabelEmbeddings, PixArtAlphaCombinedTimestepSizeEmbeddings


class FP32LayerNorm(nn.LayerNorm):
    def forward(self, inputs):
        weight, bias = (it if it is None else it.float() for it in (self.weight, self.bias))
        out = F.layer_norm(inputs.float(), self.normalized_shape, weight, bias, self.eps)
        return out.to(inputs.dtype)


class RMSNorm(nn.Module):
    """w x / sqrt(mean(x²) + eps) + b, the mean in float32."""

    def __init__(self, dim, eps, elementwise_affine=True, bias=False):
        super().__init__()
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.dim = torch.Size((dim,) if isinstance(dim, numbers.Integral) else dim)
        self.weight = nn.Parameter(torch.ones(self.dim)) if elementwise_affine else None
        self.bias = nn.Parameter(torch.zeros(self.dim)) if elementwise_affine and bias else None

    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        out = hidden_states * torch.rsqrt(variance + self.eps)
        if self.weight is None:
            return out.to(hidden_states.dtype)
        if self.weight.dtype in (torch.float16, torch.bfloat16):
            out = out.to(self.weight.dtype)
        out = out * self.weight
        return out if self.bias is None else out + self.bias


class LpNorm(nn.Module):
    def __init__(self, p=2, dim=-1, eps=1e-12):
        super().__init__()
        self.p, self.dim, self.eps = p, dim, eps

    def forward(self, hidden_states):
        return F.normalize(hidden_states, p=self.p, dim=self.dim, eps=self.eps)


class GlobalResponseNorm(nn.Module):
    """γ x g / mean(g) + β + x, g the norm over height and width of (B, H, W, C) (arXiv:2301.00808)"""

    def __init__(self, dim):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(1, 1, 1, dim))
        self.beta = nn.Parameter(torch.zeros(1, 1, 1, dim))

    def forward(self, x):
        gx = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
        return self.gamma * (x * (gx / (gx.mean(dim=-1, keepdim=True) + 1e-6))) + self.beta + x


def get_normalization(
    norm_type="batch_norm", num_features=None, eps=1e-5, elementwise_affine=True, bias=True
):
    if norm_type == "rms_norm":
        return RMSNorm(num_features, eps=eps, elementwise_affine=elementwise_affine, bias=bias)
    if norm_type == "layer_norm":
        return nn.LayerNorm(num_features, eps, elementwise_affine, bias)
    if norm_type == "batch_norm":
        return nn.BatchNorm2d(num_features, eps=eps, affine=elementwise_affine)
    raise ValueError(f"{norm_type=} is not supported.")


class AdaLayerNorm(nn.Module):
    """norm(x) (1 + scale) + shift, both of an embedding's row or of `temb`."""

    def __init__(
        self,
        embedding_dim,
        num_embeddings=None,
        output_dim=None,
        norm_elementwise_affine=False,
        norm_eps=1e-5,
        chunk_dim=0,
    ):
        super().__init__()
        self.chunk_dim = chunk_dim
        output_dim = output_dim or embedding_dim * 2
        self.emb = None if num_embeddings is None else nn.Embedding(num_embeddings, embedding_dim)
        self.silu = nn.SiLU()
        self.linear = nn.Linear(embedding_dim, output_dim)
        self.norm = nn.LayerNorm(output_dim // 2, norm_eps, norm_elementwise_affine)

    def forward(self, x, timestep=None, temb=None):
        temb = self.linear(self.silu(temb if self.emb is None else self.emb(timestep)))
        if self.chunk_dim == 1:
            shift, scale = (it[:, None, :] for it in temb.chunk(2, dim=1))
        else:
            scale, shift = temb.chunk(2, dim=0)
        return self.norm(x) * (1 + scale) + shift


class _Modulated(nn.Module):
    """A norm without parameters, and so many vectors of a condition's embedding for each row of a batch."""

    count = 0
    norm_types = {"layer_norm": lambda dim: nn.LayerNorm(dim, elementwise_affine=False, eps=1e-6)}

    def __init__(self, embedding_dim, norm_type="layer_norm", bias=True):
        super().__init__()
        self._add_layers(embedding_dim, norm_type, bias)

    def _add_layers(self, embedding_dim, norm_type, bias):
        self.silu = nn.SiLU()
        self.linear = nn.Linear(embedding_dim, self.count * embedding_dim, bias=bias)
        if norm_type not in self.norm_types:
            raise ValueError(
                f"Unsupported `norm_type` ({norm_type}) provided. Supported ones are: "
                f"{', '.join(map(repr, self.norm_types))}."
            )
        self.norm = self.norm_types[norm_type](embedding_dim)

    def vectors(self, emb):
        return self.linear(self.silu(emb)).chunk(self.count, dim=1)


def _modulate(x, shift, scale):
    return x * (1 + scale[:, None]) + shift[:, None]


class AdaLayerNormZero(_Modulated):
    """x modulated, and the gates, shift and scale of what follows (arXiv:2212.09748)."""

    count = 6
    norm_types = {
        **_Modulated.norm_types,
        "fp32_layer_norm": lambda dim: FP32LayerNorm(dim, elementwise_affine=False, bias=False),
    }

    def __init__(self, embedding_dim, num_embeddings=None, norm_type="layer_norm", bias=True):
        nn.Module.__init__(self)
        self.emb = None
        if num_embeddings is not None:
            self.emb = CombinedTimestepLabelEmbeddings(num_embeddings, embedding_dim)
        self._add_layers(embedding_dim, norm_type, bias)

    def forward(self, x, timestep=None, class_labels=None, hidden_dtype=None, emb=None):
        if self.emb is not None:
            emb = self.emb(timestep, class_labels, hidden_dtype=hidden_dtype)
        shift, scale, gate, *of_mlp = self.vectors(emb)
        shift_mlp, scale_mlp, gate_mlp = of_mlp
        return _modulate(self.norm(x), shift, scale), gate, shift_mlp, scale_mlp, gate_mlp


class AdaLayerNormZeroSingle(_Modulated):
    count = 3

    def forward(self, x, emb=None):
        shift, scale, gate = self.vectors(emb)
        return _modulate(self.norm(x), shift, scale), gate


class SD35AdaLayerNormZeroX(_Modulated):
    """x modulated twice, for two kinds of attention."""

    count = 9

    def forward(self, hidden_states, emb=None):
        shift, scale, gate, *of_mlp, shift_2, scale_2, gate_2 = self.vectors(emb)
        x = self.norm(hidden_states)
        return _modulate(x, shift, scale), gate, *of_mlp, _modulate(x, shift_2, scale_2), gate_2


class LuminaRMSNormZero(nn.Module):
    def __init__(self, embedding_dim, norm_eps, norm_elementwise_affine):
        super().__init__()
        self.silu = nn.SiLU()
        self.linear = nn.Linear(min(embedding_dim, 1024), 4 * embedding_dim)
        self.norm = RMSNorm(embedding_dim, eps=norm_eps)

    def forward(self, x, emb=None):
        scale, gate, scale_mlp, gate_mlp = self.linear(self.silu(emb)).chunk(4, dim=1)
        return self.norm(x) * (1 + scale[:, None]), gate, scale_mlp, gate_mlp


class AdaLayerNormSingle(nn.Module):
    """Six vectors of a timestep that all layers share, and its embedding (arXiv:2310.00426, section 2.3)."""

    def __init__(self, embedding_dim, use_additional_conditions=False):
        super().__init__()
        self.emb = PixArtAlphaCombinedTimestepSizeEmbeddings(
            embedding_dim, embedding_dim // 3, use_additional_conditions
        )
        self.silu = nn.SiLU()
        self.linear = nn.Linear(embedding_dim, 6 * embedding_dim)

    def forward(self, timestep, added_cond_kwargs=None, batch_size=None, hidden_dtype=None):
        conditions = added_cond_kwargs or {"resolution": None, "aspect_ratio": None}
        embedded = self.emb(
            timestep, **conditions, batch_size=batch_size, hidden_dtype=hidden_dtype
        )
        return self.linear(self.silu(embedded)), embedded


class AdaGroupNorm(nn.Module):
    """group_norm(x) (1 + scale) + shift, for images (B, C, H, W)."""

    def __init__(self, embedding_dim, out_dim, num_groups, act_fn=None, eps=1e-5):
        super().__init__()
        self.num_groups, self.eps = num_groups, eps
        self.act = None if act_fn is None else get_activation(act_fn)
        self.linear = nn.Linear(embedding_dim, out_dim * 2)

    def forward(self, x, emb):
        emb = self.linear(emb if self.act is None else self.act(emb))
        scale, shift = emb[:, :, None, None].chunk(2, dim=1)
        return F.group_norm(x, self.num_groups, eps=self.eps) * (1 + scale) + shift


def _norm_of(norm_type, dim, eps, elementwise_affine, bias):
    if norm_type == "layer_norm":
        return LayerNorm(dim, eps, elementwise_affine, bias)
    if norm_type == "rms_norm":
        return RMSNorm(dim, eps, elementwise_affine)
    raise ValueError(f"unknown norm_type {norm_type}")


class AdaLayerNormContinuous(nn.Module):
    def __init__(
        self,
        embedding_dim,
        conditioning_embedding_dim,
        elementwise_affine=True,
        eps=1e-5,
        bias=True,
        norm_type="layer_norm",
    ):
        super().__init__()
        self.silu = nn.SiLU()
        self.linear = nn.Linear(conditioning_embedding_dim, embedding_dim * 2, bias=bias)
        self.norm = _norm_of(norm_type, embedding_dim, eps, elementwise_affine, bias)

    def forward(self, x, conditioning_embedding):
        emb = self.linear(self.silu(conditioning_embedding).to(x.dtype))
        scale, shift = emb.chunk(2, dim=1)
        return _modulate(self.norm(x), shift, scale)


class LuminaLayerNormContinuous(nn.Module):
    def __init__(
        self,
        embedding_dim,
        conditioning_embedding_dim,
        elementwise_affine=True,
        eps=1e-5,
        bias=True,
        norm_type="layer_norm",
        out_dim=None,
    ):
        super().__init__()
        self.silu = nn.SiLU()
        self.linear_1 = nn.Linear(conditioning_embedding_dim, embedding_dim, bias=bias)
        self.norm = _norm_of(norm_type, embedding_dim, eps, elementwise_affine, bias)
        self.linear_2 = None if out_dim is None else nn.Linear(embedding_dim, out_dim, bias=bias)

    def forward(self, x, conditioning_embedding):
        scale = self.linear_1(self.silu(conditioning_embedding).to(x.dtype))
        x = self.norm(x) * (1 + scale)[:, None, :]
        return x if self.linear_2 is None else self.linear_2(x)


class CogVideoXLayerNormZero(nn.Module):
    """Frames and text by one norm, each with a shift, a scale and a gate of its own."""

    def __init__(
        self, conditioning_dim, embedding_dim, elementwise_affine=True, eps=1e-5, bias=True
    ):
        super().__init__()
        self.silu = nn.SiLU()
        self.linear = nn.Linear(conditioning_dim, 6 * embedding_dim, bias=bias)
        self.norm = nn.LayerNorm(embedding_dim, eps=eps, elementwise_affine=elementwise_affine)

    def forward(self, hidden_states, encoder_hidden_states, temb):
        vectors = self.linear(self.silu(temb)).chunk(6, dim=1)
        shift, scale, gate, text_shift, text_scale, text_gate = vectors
        return (
            _modulate(self.norm(hidden_states), shift, scale),
            _modulate(self.norm(encoder_hidden_states), text_shift, text_scale),
            gate[:, None, :],
            text_gate[:, None, :],
        )
