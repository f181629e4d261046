"""Patches of images and of videos, with their positions."""

import torch
from torch import nn

from ._sincos import get_2d_sincos_pos_embed, get_3d_sincos_pos_embed


class PatchEmbed(nn.Module):
    """(B, C, H, W) → (B, patches, embed_dim), with positions scaled to the grid, or cropped of a larger one."""

    def __init__(
        self,
        height=224,
        width=224,
        patch_size=16,
        in_channels=3,
        embed_dim=768,
        layer_norm=False,
        flatten=True,
        bias=True,
        interpolation_scale=1,
        pos_embed_type="sincos",
        pos_embed_max_size=None,
    ):
        super().__init__()
        self.flatten, self.layer_norm = flatten, layer_norm
        self.pos_embed_max_size = pos_embed_max_size
        self.proj = nn.Conv2d(in_channels, embed_dim, patch_size, stride=patch_size, bias=bias)
        self.norm = None
        if layer_norm:
            self.norm = nn.LayerNorm(embed_dim, elementwise_affine=False, eps=1e-6)
        self.patch_size = patch_size
        self.height, self.width = height // patch_size, width // patch_size
        self.base_size = self.height
        self.interpolation_scale = interpolation_scale
        if pos_embed_type is None:
            self.pos_embed = None
        elif pos_embed_type == "sincos":
            size = pos_embed_max_size or int((self.height * self.width) ** 0.5)
            positions = self._positions(embed_dim, size)
            self.register_buffer("pos_embed", positions, persistent=bool(pos_embed_max_size))
        else:
            raise ValueError(f"Unsupported pos_embed_type: {pos_embed_type}")

    def _positions(self, embed_dim, grid_size, device=None):
        return (
            get_2d_sincos_pos_embed(
                embed_dim,
                grid_size,
                base_size=self.base_size,
                interpolation_scale=self.interpolation_scale,
                device=device,
            )
            .float()
            .unsqueeze(0)
        )

    def cropped_pos_embed(self, height, width):
        """The middle of the largest grid, for an image of so many pixels."""
        largest = self.pos_embed_max_size
        if largest is None:
            raise ValueError("`pos_embed_max_size` must be set for cropping.")
        height, width = height // self.patch_size, width // self.patch_size
        for name, size in (("Height", height), ("Width", width)):
            if size > largest:
                raise ValueError(
                    f"{name} ({size}) cannot be greater than `pos_embed_max_size`: {largest}."
                )
        top, left = (largest - height) // 2, (largest - width) // 2
        grid = self.pos_embed.reshape(1, largest, largest, -1)
        return grid[:, top : top + height, left : left + width, :].flatten(1, 2)

    def _positions_for(self, pixels, device):
        if self.pos_embed_max_size:
            return self.cropped_pos_embed(*pixels)
        height, width = (size // self.patch_size for size in pixels)
        if (height, width) == (self.height, self.width):
            return self.pos_embed
        return self._positions(self.pos_embed.shape[-1], (height, width), device)

    def forward(self, latent):
        pixels = latent.shape[-2:]
        latent = self.proj(latent)
        if self.flatten:
            latent = latent.flatten(2).transpose(1, 2)
        if self.layer_norm:
            latent = self.norm(latent)
        if self.pos_embed is None:
            return latent
        return (latent + self._positions_for(pixels, latent.device)).to(latent.dtype)


class LuminaPatchEmbed(nn.Module):
    """(B, C, H, W) → tokens, a mask of ones, sizes of the images, and the rotations (1, patches, …)"""

    def __init__(self, patch_size=2, in_channels=4, embed_dim=768, bias=True):
        super().__init__()
        self.patch_size = patch_size
        self.proj = nn.Linear(patch_size * patch_size * in_channels, embed_dim, bias=bias)

    def forward(self, x, freqs_cis):
        batch, channels, height, width = x.size()
        size = self.patch_size
        rows, columns = height // size, width // size
        patches = x.view(batch, channels, rows, size, columns, size).permute(0, 2, 4, 1, 3, 5)
        tokens = self.proj(patches.flatten(3)).flatten(1, 2)
        mask = torch.ones(batch, tokens.shape[1], dtype=torch.int32, device=x.device)
        rotations = freqs_cis.to(x.device)[:rows, :columns].flatten(0, 1).unsqueeze(0)
        return tokens, mask, [(height, width)] * batch, rotations


class CogVideoXPatchEmbed(nn.Module):
    """Texts (B, L, text_embed_dim) and frames (B, T, C, H, W) → (B, L + patches, embed_dim)"""

    def __init__(
        self,
        patch_size=2,
        patch_size_t=None,
        in_channels=16,
        embed_dim=1920,
        text_embed_dim=4096,
        bias=True,
        sample_width=90,
        sample_height=60,
        sample_frames=49,
        temporal_compression_ratio=4,
        max_text_seq_length=226,
        spatial_interpolation_scale=1.875,
        temporal_interpolation_scale=1.0,
        use_positional_embeddings=True,
        use_learned_positional_embeddings=True,
    ):
        super().__init__()
        self.patch_size, self.patch_size_t, self.embed_dim = patch_size, patch_size_t, embed_dim
        self.sample_height, self.sample_width = sample_height, sample_width
        self.sample_frames = sample_frames
        self.temporal_compression_ratio = temporal_compression_ratio
        self.max_text_seq_length = max_text_seq_length
        self.spatial_interpolation_scale = spatial_interpolation_scale
        self.temporal_interpolation_scale = temporal_interpolation_scale
        self.use_positional_embeddings = use_positional_embeddings
        self.use_learned_positional_embeddings = use_learned_positional_embeddings
        if patch_size_t is None:
            self.proj = nn.Conv2d(in_channels, embed_dim, patch_size, stride=patch_size, bias=bias)
        else:
            self.proj = nn.Linear(in_channels * patch_size * patch_size * patch_size_t, embed_dim)
        self.text_proj = nn.Linear(text_embed_dim, embed_dim)
        if use_positional_embeddings or use_learned_positional_embeddings:
            positions = self._get_positional_embeddings(sample_height, sample_width, sample_frames)
            self.register_buffer(
                "pos_embedding", positions, persistent=use_learned_positional_embeddings
            )

    def _get_positional_embeddings(self, sample_height, sample_width, sample_frames, device=None):
        """(1, L + patches, embed_dim), zero for the text."""
        positions = get_3d_sincos_pos_embed(
            self.embed_dim,
            (sample_width // self.patch_size, sample_height // self.patch_size),
            (sample_frames - 1) // self.temporal_compression_ratio + 1,
            self.spatial_interpolation_scale,
            self.temporal_interpolation_scale,
            device=device,
        ).flatten(0, 1)
        of_text = positions.new_zeros(self.max_text_seq_length, self.embed_dim)
        return torch.cat([of_text, positions]).unsqueeze(0)

    def _patches(self, frames):
        batch, count, channels, height, width = frames.shape
        size, duration = self.patch_size, self.patch_size_t
        if duration is None:
            patches = self.proj(frames.flatten(0, 1)).flatten(2).transpose(1, 2)
            return patches.reshape(batch, -1, self.embed_dim)
        patches = frames.permute(0, 1, 3, 4, 2).reshape(
            batch, count // duration, duration, height // size, size, width // size, size, channels
        )
        return self.proj(patches.permute(0, 1, 3, 5, 7, 2, 4, 6).flatten(4, 7).flatten(1, 3))

    def forward(self, text_embeds, image_embeds):
        tokens = torch.cat([self.text_proj(text_embeds), self._patches(image_embeds)], dim=1)
        if not (self.use_positional_embeddings or self.use_learned_positional_embeddings):
            return tokens
        return tokens + self._positions_for(image_embeds).to(dtype=tokens.dtype)

    def _positions_for(self, frames):
        count, _, height, width = frames.shape[1:]
        size = (height, width, (count - 1) * self.temporal_compression_ratio + 1)
        known = (self.sample_height, self.sample_width, self.sample_frames)
        if self.use_learned_positional_embeddings and size[:2] != known[:2]:
            raise ValueError(
                f"positions are learned for frames of {known[0]} × {known[1]}, not of {height} × {width}"
            )
        if size == known:
            return self.pos_embedding
        return self._get_positional_embeddings(*size, device=frames.device)
