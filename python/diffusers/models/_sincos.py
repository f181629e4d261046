"""Sines and cosines of positions and of timesteps."""

import math

import torch
from torch import nn


def get_timestep_embedding(
    timesteps,
    embedding_dim,
    flip_sin_to_cos=False,
    downscale_freq_shift=1,
    scale=1,
    max_period=10000,
):
    """(N,) → (N, embedding_dim): sin and cos of t · P^(-i / (d/2 - shift)), zero for an odd last one (arXiv:2006.11239)."""
    assert len(timesteps.shape) == 1, "Timesteps should be a 1d-array"
    half = embedding_dim // 2
    places = torch.arange(0, half, dtype=torch.float32, device=timesteps.device)
    exponents = -math.log(max_period) * places / (half - downscale_freq_shift)
    angles = scale * (timesteps[:, None].float() * torch.exp(exponents)[None, :])
    parts = [torch.sin(angles), torch.cos(angles)]
    embedding = torch.cat(parts[::-1] if flip_sin_to_cos else parts, dim=-1)
    return nn.functional.pad(embedding, (0, embedding_dim % 2)) if embedding_dim % 2 else embedding


def get_1d_sincos_pos_embed_from_grid(
    embed_dim, pos, output_type="pt", flip_sin_to_cos=False, dtype=None
):
    """Positions of any shape → (M, embed_dim): sin and cos of p · 10000^(-i / (d/2)), in float64."""
    _check_even(embed_dim)
    places = torch.arange(embed_dim // 2, device=pos.device, dtype=dtype or torch.float64)
    angles = torch.outer(pos.reshape(-1), 1.0 / 10000 ** (places / (embed_dim / 2.0)))
    parts = [torch.sin(angles), torch.cos(angles)]
    return torch.cat(parts[::-1] if flip_sin_to_cos else parts, dim=1)


def get_2d_sincos_pos_embed_from_grid(embed_dim, grid, output_type="pt"):
    """(2, …) → (M, embed_dim): half of the width for each axis."""
    _check_even(embed_dim)
    halves = [get_1d_sincos_pos_embed_from_grid(embed_dim // 2, grid[axis]) for axis in (0, 1)]
    return torch.cat(halves, dim=1)


def get_2d_sincos_pos_embed(
    embed_dim,
    grid_size,
    cls_token=False,
    extra_tokens=0,
    interpolation_scale=1.0,
    base_size=16,
    device=None,
    output_type="pt",
):
    """(H · W, embed_dim), after rows of zero for `extra_tokens`."""
    height, width = (grid_size, grid_size) if isinstance(grid_size, int) else grid_size
    rows, columns = (
        torch.arange(size, device=device, dtype=torch.float32)
        / (size / base_size)
        / interpolation_scale
        for size in (height, width)
    )
    grid = torch.stack(torch.meshgrid(columns, rows, indexing="xy")).reshape(2, 1, width, height)
    embedding = get_2d_sincos_pos_embed_from_grid(embed_dim, grid)
    if cls_token and extra_tokens > 0:
        embedding = torch.cat([torch.zeros([extra_tokens, embed_dim]), embedding], dim=0)
    return embedding


def get_3d_sincos_pos_embed(
    embed_dim,
    spatial_size,
    temporal_size,
    spatial_interpolation_scale=1.0,
    temporal_interpolation_scale=1.0,
    device=None,
    output_type="pt",
):
    """(T, H · W, embed_dim): a quarter of the width for time, the rest for (width, height) = `spatial_size`."""
    if embed_dim % 4 != 0:
        raise ValueError("`embed_dim` must be divisible by 4")
    width, height = (spatial_size, spatial_size) if isinstance(spatial_size, int) else spatial_size
    rows, columns, times = (
        torch.arange(size, device=device, dtype=torch.float32) / scale
        for size, scale in (
            (height, spatial_interpolation_scale),
            (width, spatial_interpolation_scale),
            (temporal_size, temporal_interpolation_scale),
        )
    )
    grid = torch.stack(torch.meshgrid(columns, rows, indexing="xy")).reshape(2, 1, height, width)
    in_space = get_2d_sincos_pos_embed_from_grid(3 * embed_dim // 4, grid)
    in_time = get_1d_sincos_pos_embed_from_grid(embed_dim // 4, times)
    shape = (temporal_size, height * width)
    return torch.cat(
        [in_time[:, None, :].expand(*shape, -1), in_space[None].expand(*shape, -1)], dim=-1
    )


def _check_even(embed_dim):
    if embed_dim % 2 != 0:
        raise ValueError("embed_dim must be divisible by 2")


class Timesteps(nn.Module):
    def __init__(self, num_channels, flip_sin_to_cos, downscale_freq_shift, scale=1):
        super().__init__()
        self.num_channels, self.scale = num_channels, scale
        self.flip_sin_to_cos = flip_sin_to_cos
        self.downscale_freq_shift = downscale_freq_shift

    def forward(self, timesteps):
        return get_timestep_embedding(
            timesteps,
            self.num_channels,
            flip_sin_to_cos=self.flip_sin_to_cos,
            downscale_freq_shift=self.downscale_freq_shift,
            scale=self.scale,
        )


class GaussianFourierProjection(nn.Module):
    """sin and cos of 2π w x, or of 2π w log x, with normal w that is not trained."""

    def __init__(
        self, embedding_size=256, scale=1.0, set_W_to_weight=True, log=True, flip_sin_to_cos=False
    ):
        super().__init__()
        weight = torch.randn(embedding_size) * scale
        if set_W_to_weight:
            # The real one draws twice.
            weight = torch.randn(embedding_size) * scale
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.log, self.flip_sin_to_cos = log, flip_sin_to_cos

    def forward(self, x):
        x = torch.log(x) if self.log else x
        angles = x[:, None] * self.weight[None, :] * 2 * math.pi
        parts = [torch.sin(angles), torch.cos(angles)]
        return torch.cat(parts[::-1] if self.flip_sin_to_cos else parts, dim=-1)


class SinusoidalPositionalEmbedding(nn.Module):
    """x (B, L, D) + sines at even and cosines at odd channels."""

    def __init__(self, embed_dim, max_seq_length=32):
        super().__init__()
        position = torch.arange(max_seq_length).unsqueeze(1)
        rates = torch.exp(torch.arange(0, embed_dim, 2) * (-math.log(10000.0) / embed_dim))
        pe = torch.zeros(1, max_seq_length, embed_dim)
        pe[0, :, 0::2] = torch.sin(position * rates)
        pe[0, :, 1::2] = torch.cos(position * rates)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]
