"""Embeddings of timesteps, labels, texts and patches."""

import torch
from torch import nn

from ._patches import CogVideoXPatchEmbed, LuminaPatchEmbed, PatchEmbed  # noqa: F401
from ._rotary import (  # noqa: F401
    apply_rotary_emb,
    get_1d_rotary_pos_embed,
    get_2d_rotary_pos_embed,
    get_2d_rotary_pos_embed_from_grid,
    get_2d_rotary_pos_embed_lumina,
    get_3d_rotary_pos_embed,
)
from ._sincos import (  # noqa: F401
    GaussianFourierProjection,
    SinusoidalPositionalEmbedding,
    Timesteps,
    get_1d_sincos_pos_embed_from_grid,
    get_2d_sincos_pos_embed,
    get_2d_sincos_pos_embed_from_grid,
    get_3d_sincos_pos_embed,
    get_timestep_embedding,
)
from .activations import FP32SiLU, get_activation

# The width of a timestep's sines and cosines, where embeddings are combined.
_TIME_CHANNELS = 256


class TimestepEmbedding(nn.Module):
    """W₂ act(W₁ (t + C condition))"""

    def __init__(
        self,
        in_channels,
        time_embed_dim,
        act_fn="silu",
        out_dim=None,
        post_act_fn=None,
        cond_proj_dim=None,
        sample_proj_bias=True,
    ):
        super().__init__()
        self.linear_1 = nn.Linear(in_channels, time_embed_dim, sample_proj_bias)
        self.cond_proj = None
        if cond_proj_dim is not None:
            self.cond_proj = nn.Linear(cond_proj_dim, in_channels, bias=False)
        self.act = get_activation(act_fn)
        out_dim = time_embed_dim if out_dim is None else out_dim
        self.linear_2 = nn.Linear(time_embed_dim, out_dim, sample_proj_bias)
        self.post_act = None if post_act_fn is None else get_activation(post_act_fn)

    def forward(self, sample, condition=None):
        if condition is not None:
            sample = sample + self.cond_proj(condition)
        sample = self.linear_2(self.act(self.linear_1(sample)))
        return sample if self.post_act is None else self.post_act(sample)


class LabelEmbedding(nn.Module):
    """Labels (B,) → (B, D); with a share of dropped ones, which have the last row."""

    def __init__(self, num_classes, hidden_size, dropout_prob):
        super().__init__()
        self.embedding_table = nn.Embedding(num_classes + (dropout_prob > 0), hidden_size)
        self.num_classes, self.dropout_prob = num_classes, dropout_prob

    def token_drop(self, labels, force_drop_ids=None):
        if force_drop_ids is None:
            dropped = torch.rand(labels.shape[0], device=labels.device) < self.dropout_prob
        else:
            dropped = force_drop_ids == 1
        return torch.where(dropped, self.num_classes, labels)

    def forward(self, labels, force_drop_ids=None):
        if (self.training and self.dropout_prob > 0) or force_drop_ids is not None:
            labels = self.token_drop(labels, force_drop_ids)
        return self.embedding_table(labels)


class ImageProjection(nn.Module):
    """One vector of an image (B, D) → (B, num_image_text_embeds, cross_attention_dim)"""

    def __init__(self, image_embed_dim=768, cross_attention_dim=768, num_image_text_embeds=32):
        super().__init__()
        self.num_image_text_embeds = num_image_text_embeds
        self.image_embeds = nn.Linear(image_embed_dim, num_image_text_embeds * cross_attention_dim)
        self.norm = nn.LayerNorm(cross_attention_dim)

    def forward(self, image_embeds):
        tokens = self.image_embeds(image_embeds.to(self.image_embeds.weight.dtype))
        return self.norm(tokens.reshape(len(image_embeds), self.num_image_text_embeds, -1))


class PixArtAlphaTextProjection(nn.Module):
    """W₂ act(W₁ caption)"""

    def __init__(self, in_features, hidden_size, out_features=None, act_fn="gelu_tanh"):
        super().__init__()
        self.linear_1 = nn.Linear(in_features, hidden_size)
        if act_fn == "gelu_tanh":
            self.act_1 = nn.GELU(approximate="tanh")
        elif act_fn == "silu":
            self.act_1 = nn.SiLU()
        elif act_fn == "silu_fp32":
            self.act_1 = FP32SiLU()
        else:
            raise ValueError(f"Unknown activation function: {act_fn}")
        self.linear_2 = nn.Linear(
            hidden_size, hidden_size if out_features is None else out_features
        )

    def forward(self, caption):
        return self.linear_2(self.act_1(self.linear_1(caption)))


class _Combined(nn.Module):
    """The embedding of a timestep, to which those of other things are added."""

    def __init__(self, embedding_dim, downscale_freq_shift=0):
        super().__init__()
        self.time_proj = Timesteps(_TIME_CHANNELS, True, downscale_freq_shift)
        self.timestep_embedder = TimestepEmbedding(_TIME_CHANNELS, embedding_dim)

    def of_time(self, timestep, dtype):
        return self.timestep_embedder(self.time_proj(timestep).to(dtype=dtype))


class CombinedTimestepLabelEmbeddings(_Combined):
    def __init__(self, num_classes, embedding_dim, class_dropout_prob=0.1):
        super().__init__(embedding_dim, downscale_freq_shift=1)
        self.class_embedder = LabelEmbedding(num_classes, embedding_dim, class_dropout_prob)

    def forward(self, timestep, class_labels, hidden_dtype=None):
        return self.of_time(timestep, hidden_dtype) + self.class_embedder(class_labels)


class CombinedTimestepTextProjEmbeddings(_Combined):
    def __init__(self, embedding_dim, pooled_projection_dim):
        super().__init__(embedding_dim)
        self.text_embedder = PixArtAlphaTextProjection(
            pooled_projection_dim, embedding_dim, act_fn="silu"
        )

    def forward(self, timestep, pooled_projection):
        return self.of_time(timestep, pooled_projection.dtype) + self.text_embedder(
            pooled_projection
        )


class CombinedTimestepGuidanceTextProjEmbeddings(_Combined):
    def __init__(self, embedding_dim, pooled_projection_dim):
        super().__init__(embedding_dim)
        self.guidance_embedder = TimestepEmbedding(_TIME_CHANNELS, embedding_dim)
        self.text_embedder = PixArtAlphaTextProjection(
            pooled_projection_dim, embedding_dim, act_fn="silu"
        )

    def forward(self, timestep, guidance, pooled_projection):
        dtype = pooled_projection.dtype
        guided = self.of_time(timestep, dtype) + self.guidance_embedder(
            self.time_proj(guidance).to(dtype=dtype)
        )
        return guided + self.text_embedder(pooled_projection)


class PixArtAlphaCombinedTimestepSizeEmbeddings(_Combined):
    """The timestep's, and beside one another those of an image's size and shape."""

    def __init__(self, embedding_dim, size_emb_dim, use_additional_conditions=False):
        super().__init__(embedding_dim)
        self.outdim = size_emb_dim
        self.use_additional_conditions = use_additional_conditions
        if use_additional_conditions:
            self.additional_condition_proj = Timesteps(_TIME_CHANNELS, True, 0)
            self.resolution_embedder = TimestepEmbedding(_TIME_CHANNELS, size_emb_dim)
            self.aspect_ratio_embedder = TimestepEmbedding(_TIME_CHANNELS, size_emb_dim)

    def forward(self, timestep, resolution, aspect_ratio, batch_size, hidden_dtype):
        of_time = self.of_time(timestep, hidden_dtype)
        if not self.use_additional_conditions:
            return of_time
        conditions = [
            embedder(self.additional_condition_proj(it.flatten()).to(hidden_dtype)).reshape(
                batch_size, -1
            )
            for embedder, it in (
                (self.resolution_embedder, resolution),
                (self.aspect_ratio_embedder, aspect_ratio),
            )
        ]
        return of_time + torch.cat(conditions, dim=1)
