"""Attention of diffusers with its processors, and the block of a transformer with each kind of norm."""

import torch
from diffusers.models.attention import BasicTransformerBlock, FeedForward, JointTransformerBlock, LuminaFeedForward
from diffusers.models.attention_dispatch import dispatch_attention_fn
from diffusers.models.attention_processor import (
    Attention,
    AttnAddedKVProcessor,
    AttnAddedKVProcessor2_0,
    AttnProcessor,
    AttnProcessor2_0,
    CogVideoXAttnProcessor2_0,
    JointAttnProcessor2_0,
)
from diffusers.models.embeddings import get_1d_rotary_pos_embed
from torch import nn

# Values within the package are its own affair.
GOLDEN = ("loss", "parameters", "modules")
HEADS = {"heads": 2, "dim_head": 4}


class Doubled:
    """A processor of the file's own."""

    def __call__(self, attn, hidden_states, encoder_hidden_states=None, attention_mask=None, gain=1.0):
        return attn.to_out[0](attn.to_v(hidden_states)) * gain


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        kinds = ["layer_norm", "fp32_layer_norm", "rms_norm", "l2", None]
        self.plain = nn.ModuleList(Attention(8, qk_norm=kind, bias=True, **HEADS) for kind in kinds)
        self.cross = Attention(8, 6, cross_attention_norm="layer_norm", upcast_softmax=True, **HEADS)
        self.cross_grouped = Attention(8, 6, cross_attention_norm="group_norm", cross_attention_norm_num_groups=2, **HEADS)
        self.unscaled = Attention(8, scale_qk=False, upcast_attention=True, **HEADS)
        image = {"norm_num_groups": 4, "residual_connection": True, "rescale_output_factor": 2.0}
        self.image = Attention(8, **HEADS, **image)
        self.image_older = Attention(8, processor=AttnProcessor(), **HEADS, **image)
        self.spatial = Attention(32, heads=2, dim_head=8, spatial_norm_dim=3)
        added = {"added_kv_proj_dim": 6, "norm_num_groups": 4}
        self.added = Attention(8, processor=AttnAddedKVProcessor2_0(), **added, **HEADS)
        self.added_older = Attention(8, processor=AttnAddedKVProcessor(), only_cross_attention=True, **added, **HEADS)
        joint = {"added_kv_proj_dim": 8, "out_dim": 8, "bias": True, "processor": JointAttnProcessor2_0()}
        self.joint = Attention(8, context_pre_only=False, qk_norm="rms_norm", eps=1e-6, **joint, **HEADS)
        self.joint_last = Attention(8, context_pre_only=True, qk_norm="layer_norm", **joint, **HEADS)
        self.video = Attention(8, qk_norm="layer_norm", processor=CogVideoXAttnProcessor2_0(), **HEADS)
        self.own = Attention(8, processor=Doubled(), **HEADS)
        names = ["gelu", "gelu-approximate", "geglu", "geglu-approximate", "swiglu", "linear-silu"]
        self.feeds = nn.ModuleList(FeedForward(8, mult=2, activation_fn=it, final_dropout=it == "gelu") for it in names)
        self.feed = LuminaFeedForward(8, 10, multiple_of=4, ffn_dim_multiplier=1.5)
        self.both = JointTransformerBlock(8, 2, 4, qk_norm="rms_norm", use_dual_attention=True)
        self.last = JointTransformerBlock(8, 2, 4, context_pre_only=True)
        self.blocks = nn.ModuleDict(
            {
                "plain": BasicTransformerBlock(8, 2, 4, positional_embeddings="sinusoidal", num_positional_embeddings=9),
                "cross": BasicTransformerBlock(8, 2, 4, cross_attention_dim=6, activation_fn="gelu"),
                "only_cross": BasicTransformerBlock(8, 2, 4, cross_attention_dim=6, only_cross_attention=True),
                "twice": BasicTransformerBlock(8, 2, 4, double_self_attention=True, norm_elementwise_affine=False),
                "ada": BasicTransformerBlock(8, 2, 4, cross_attention_dim=6, norm_type="ada_norm", num_embeds_ada_norm=9),
                "zero": BasicTransformerBlock(8, 2, 4, norm_type="ada_norm_zero", num_embeds_ada_norm=9, attention_bias=True),
                "single": BasicTransformerBlock(8, 2, 4, cross_attention_dim=6, norm_type="ada_norm_single"),
                "latte": BasicTransformerBlock(8, 2, 4, norm_type="ada_norm_single", ff_inner_dim=12, ff_bias=False),
                "continuous": BasicTransformerBlock(
                    8,
                    2,
                    4,
                    cross_attention_dim=6,
                    norm_type="ada_norm_continuous",
                    ada_norm_continous_conditioning_embedding_dim=5,
                    ada_norm_bias=True,
                    norm_elementwise_affine=False,
                ),
            }
        )

    def attended(self, x, text, mask):
        image = x.transpose(1, 2).reshape(2, 8, 2, 3)
        outputs = [it(x) for it in self.plain] + [self.plain[4](x, attention_mask=mask), self.unscaled(x, attention_mask=mask)]
        outputs += [self.cross(x, text), self.cross_grouped(x, text), self.image(image), self.image_older(image), self.unscaled(x)]
        outputs += [self.spatial(image.repeat(1, 4, 1, 1), temb=image[:, :3, :1])]
        outputs += [self.added(image, text), self.added_older(image, text), self.added(image.flatten(2), text)]
        outputs += [*self.joint(x, encoder_hidden_states=text.repeat(1, 1, 2)[..., :8]), self.joint(x)]
        outputs += self.joint_last(x, encoder_hidden_states=text.repeat(1, 1, 2)[..., :8])
        outputs += self.video(x, encoder_hidden_states=x[:, :2] * 2, image_rotary_emb=get_1d_rotary_pos_embed(4, 6, use_real=True))
        outputs += [self.own(x, gain=3.0, unknown=1)]
        self.plain[0].set_processor(AttnProcessor())
        outputs += [self.plain[0](x)]
        self.plain[0].set_processor(AttnProcessor2_0())
        heads = x.view(2, 6, 2, 4)
        outputs += [dispatch_attention_fn(heads, heads * 2, heads, is_causal=True)]
        return sum(it.pow(2).mean() for it in outputs)

    def joined(self, x):
        text, image = self.both(x, x[:, :2] * 2, x[:, 0])
        nothing, image = self.last(image, text, x[:, 1])
        assert nothing is None
        return image.pow(2).mean()

    def fed(self, x):
        return sum(it(x).pow(2).mean() for it in [*self.feeds, self.feed])

    def blocked(self, x, text, condition):
        b, six = self.blocks, x.repeat(1, 1, 1)[:, :6].flatten(1)
        outputs = [b["plain"](x), b["twice"](x), b["latte"](x, timestep=six)]
        outputs += [b[name](x, encoder_hidden_states=text) for name in ("cross", "only_cross")]
        outputs += [b["ada"](x, encoder_hidden_states=text, timestep=torch.tensor(4))]
        outputs += [b["zero"](x, timestep=torch.tensor([3, 400]), class_labels=torch.tensor([1, 8]))]
        bias = (1 - torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]).unsqueeze(1)) * -10000.0
        outputs += [b["single"](x, encoder_hidden_states=text, encoder_attention_mask=bias, timestep=six)]
        outputs += [b["continuous"](x, encoder_hidden_states=text, added_cond_kwargs={"pooled_text_emb": condition})]
        b["plain"].set_chunk_feed_forward(3, dim=1)
        outputs += [b["plain"](x)]
        return sum(it.pow(2).mean() for it in outputs)


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    x, text, condition = torch.randn(2, 6, 8), torch.randn(2, 3, 6), torch.randn(2, 5)
    mask = torch.randn(2, 1, 6)
    return model.attended(x, text, mask) + model.fed(x) * model.blocked(x, text, condition) + model.joined(x)
