"""Embeddings, activations and norms of diffusers, as transformers for diffusion are written with them."""

import numpy as np
import torch
from diffusers.models import embeddings as E
from diffusers.models import normalization as N
from diffusers.models.activations import (
    GEGLU,
    GELU,
    ApproximateGELU,
    FP32SiLU,
    LinearActivation,
    SwiGLU,
    get_activation,
)
from torch import nn

# Values within the package are its own affair.
GOLDEN = ("loss", "parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.acts = nn.ModuleList(
            [GELU(6, 8), GELU(6, 8, "tanh", bias=False), GEGLU(6, 8), SwiGLU(6, 8, bias=False)]
            + [ApproximateGELU(6, 8), LinearActivation(6, 8), nn.Sequential(get_activation("Mish"), FP32SiLU(), nn.Linear(6, 8))]
        )
        self.norms = nn.ModuleList(
            [N.RMSNorm(8, eps=1e-6), N.RMSNorm(8, 1e-6, False), N.RMSNorm((8,), 1e-5, bias=True), N.LpNorm()]
            + [N.FP32LayerNorm(8, elementwise_affine=False), N.LayerNorm(8, bias=False)]
            + [N.get_normalization("rms_norm", 8), N.get_normalization("layer_norm", 8)]
        )
        self.grn = N.GlobalResponseNorm(8)
        self.zero, self.zero_fp32 = N.AdaLayerNormZero(8, 10), N.AdaLayerNormZero(8, norm_type="fp32_layer_norm")
        self.zero_single, self.zero_two = N.AdaLayerNormZeroSingle(8), N.SD35AdaLayerNormZeroX(8)
        self.lumina, self.lumina_out = N.LuminaRMSNormZero(8, 1e-5, True), N.LuminaLayerNormContinuous(8, 5, out_dim=4)
        self.out = N.AdaLayerNormContinuous(8, 5, elementwise_affine=False, eps=1e-6)
        self.out_rms = N.AdaLayerNormContinuous(8, 5, norm_type="rms_norm", bias=False)
        self.single, self.single_sized = N.AdaLayerNormSingle(12), N.AdaLayerNormSingle(12, use_additional_conditions=True)
        self.ada, self.ada_chunked = N.AdaLayerNorm(8, 10), N.AdaLayerNorm(5, output_dim=16, chunk_dim=1)
        self.cog, self.group = N.CogVideoXLayerNormZero(5, 8), N.AdaGroupNorm(5, 4, 2, "silu")
        self.text, self.guided = E.CombinedTimestepTextProjEmbeddings(8, 7), E.CombinedTimestepGuidanceTextProjEmbeddings(8, 7)
        self.caption = E.PixArtAlphaTextProjection(7, 9, 8)
        self.times = E.Timesteps(9, flip_sin_to_cos=True, downscale_freq_shift=0, scale=2)
        self.timed = E.TimestepEmbedding(9, 8, "gelu", out_dim=5, post_act_fn="silu", cond_proj_dim=3)
        self.fourier = E.GaussianFourierProjection(3, scale=4.0)
        self.fourier_plain = E.GaussianFourierProjection(3, set_W_to_weight=False, log=False, flip_sin_to_cos=True)
        self.sines, self.image = E.SinusoidalPositionalEmbedding(8, 10), E.ImageProjection(7, 4, 3)
        self.patches = E.PatchEmbed(8, 8, 2, 3, 8, layer_norm=True)
        self.cropped = E.PatchEmbed(8, 8, 2, 3, 8, pos_embed_max_size=6)
        self.plain = E.PatchEmbed(8, 8, 4, 3, 8, pos_embed_type=None, flatten=False)
        sizes = {"sample_width": 8, "sample_height": 4, "sample_frames": 5, "max_text_seq_length": 3}
        self.video = E.CogVideoXPatchEmbed(2, None, 3, 16, 7, **sizes)
        self.video_deep = E.CogVideoXPatchEmbed(2, 2, 3, 16, 7, use_positional_embeddings=False, use_learned_positional_embeddings=False, **sizes)
        self.lumina_patches = E.LuminaPatchEmbed(2, 3, 8)
        self.labels = E.LabelEmbedding(5, 8, 0.3)

    def activated(self, x):
        return sum(norm(act(x)).sum(-1).pow(2).mean() for act, norm in zip([*self.acts, self.acts[0]], self.norms))

    def normalized(self, x, time, condition):
        outputs = [*self.zero(x, time, torch.tensor([3, 4]), torch.float32), *self.zero_fp32(x, emb=x[:, 0])]
        outputs += [*self.zero_single(x, x[:, 1]), *self.zero_two(x, x[:, 1]), *self.lumina(x, x[:, 1])]
        outputs += [self.lumina_out(x, condition), self.out(x, condition), self.out_rms(x, condition)]
        outputs += [*self.single(time, hidden_dtype=x.dtype), self.ada(x[0], torch.tensor(3)), self.ada_chunked(x, temb=condition)]
        sized = {"resolution": torch.tensor([[64.0, 32.0], [16.0, 8.0]]), "aspect_ratio": torch.tensor([[0.5], [2.0]])}
        outputs += self.single_sized(time, sized, batch_size=2, hidden_dtype=x.dtype)
        outputs += [*self.cog(x, x[:, :2], condition), self.group(x.view(2, 4, 2, 5), condition), self.grn(x.view(2, 1, 5, 8))]
        return sum(it.pow(2).mean() for it in outputs)

    def embedded(self, x, time, condition, text):
        outputs = [self.text(time, text), self.guided(time, time * 2, text), self.caption(text), self.image(text)]
        outputs += [self.timed(self.times(time), condition[:, :3]), self.fourier(time), self.fourier_plain(time / 100)]
        outputs += [self.sines(x), self.labels(torch.tensor([1, 4])), self.labels(torch.tensor([1, 4]), torch.tensor([0, 1]))]
        return sum(it.pow(2).mean() for it in outputs)

    def patched(self, images, text):
        outputs = [self.patches(images), self.patches(images[..., :4]), self.cropped(images[:, :, 2:]), self.plain(images)]
        frames = images[:, :, None, :4].expand(-1, -1, 2, -1, -1).transpose(1, 2)
        outputs += [self.video(text[:, None].expand(-1, 3, -1), frames)]
        outputs += [self.video_deep(text[:, None].expand(-1, 3, -1), frames.repeat(1, 2, 1, 1, 1))]
        tokens, mask, sizes, rotations = self.lumina_patches(images, E.get_2d_rotary_pos_embed_lumina(8, 6, 6))
        assert mask.dtype == torch.int32 and sizes == [(8, 8), (8, 8)]
        outputs += [E.apply_rotary_emb(tokens.unflatten(2, (1, 8)), rotations, use_real=False)]
        return sum((it * torch.arange(it.shape[-1])).pow(2).mean() for it in outputs)


def rotated(x):
    """x: (2, 3, 4, 16)"""
    one = E.get_1d_rotary_pos_embed(16, np.arange(4), use_real=True)
    halves = E.get_1d_rotary_pos_embed(16, 4, theta=100.0, use_real=True, repeat_interleave_real=False, freqs_dtype=torch.float64)
    two = E.get_2d_rotary_pos_embed(16, ((0, 0), (4, 6)), (2, 2))
    cube = E.get_3d_rotary_pos_embed(16, ((0, 1), (2, 4)), (2, 1), 2)
    slices = E.get_3d_rotary_pos_embed(16, None, (1, 2), 2, grid_type="slice", max_size=(5, 6))
    outputs = [E.apply_rotary_emb(x, it) for it in (one, two, cube, slices)]
    outputs += [E.apply_rotary_emb(x, halves, use_real_unbind_dim=-2)]
    outputs += [E.apply_rotary_emb(x.transpose(1, 2), one, sequence_dim=1)]
    scaled = E.get_1d_rotary_pos_embed(16, 4, linear_factor=2.0, ntk_factor=3.0)
    outputs += [E.apply_rotary_emb(x.transpose(1, 2), scaled[None], use_real=False)]
    return sum((it * torch.arange(16)).pow(2).mean() for it in outputs) / 100


def placed():
    tables = [E.get_2d_sincos_pos_embed(8, (2, 3), cls_token=True, extra_tokens=1, interpolation_scale=2.0, base_size=4)]
    tables += [E.get_3d_sincos_pos_embed(16, (2, 3), 4, 1.5, 2.0), E.get_3d_sincos_pos_embed(16, 2, 3)]
    tables += [E.get_1d_sincos_pos_embed_from_grid(6, torch.tensor([1.0, 2.5]), flip_sin_to_cos=True)]
    tables += [E.get_timestep_embedding(torch.tensor([1, 500]), 7, scale=3, max_period=100)]
    assert [it.dtype for it in tables] == [torch.float64] * 4 + [torch.float32]
    return sum((it * torch.arange(it.shape[-1])).sum() for it in tables).float()


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    x, time, condition = torch.randn(2, 5, 8), torch.tensor([10.0, 700.0]), torch.randn(2, 5)
    images, text, heads = torch.randn(2, 3, 8, 8), torch.randn(2, 7), torch.randn(2, 3, 4, 16, requires_grad=True)
    parts = [model.activated(x[..., :6]), model.normalized(x, time, condition), model.embedded(x, time, condition, text)]
    parts += [model.patched(images, text), rotated(heads), placed()]
    return torch.stack(parts).sum() + parts[0] * parts[1]
