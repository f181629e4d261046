"""Where the normalisation stands: one decoder, and each published placement of its norms.

    normscope compare models/placements.py --over placement

Attention, feed-forward, embeddings and head are the same for all; a placement is one class below,
with its paper. What a paper changes of the initialisation is part of its placement.
"""
from dataclasses import dataclass
from typing import Literal

import torch
from torch import nn
import torch.nn.functional as F


PRESETS = {
    "tiny": dict(
        vocab_size=96, d_model=16, n_layers=4, n_heads=2, d_ff=32, max_len=16,
    ),
}


class RMSNorm(nn.Module):
    """y = g * x / sqrt(mean(x^2) + eps).

    Zhang and Sennrich 2019, "Root Mean Square Layer Normalization",
    https://arxiv.org/abs/1910.07467
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


class DyT(nn.Module):
    """y = g * tanh(a x) + b: bounded without looking at the other features.

    Zhu et al. 2025, "Transformers without Normalization", https://arxiv.org/abs/2503.10622
    """

    def __init__(self, d_model: int):
        super().__init__()
        self.alpha = nn.Parameter(torch.tensor(0.5))
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return self.weight * torch.tanh(self.alpha * x) + self.bias


@dataclass
class Shape:
    """What all blocks of a model share."""

    d_model: int
    n_heads: int
    d_ff: int
    n_layers: int
    norm: type

    def make_norm(self):
        return self.norm(self.d_model)


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; a position sees itself and those before it.

    `head_norms` are norms per head by what they act on: "q", "k", "v". An inner norm stands before
    the last matrix. `gain` scales the values and the last matrix.
    """

    def __init__(self, shape: Shape, head_norms: str = "", inner_norm=False, gain: float = 1.0):
        super().__init__()
        d_model = shape.d_model
        self.n_heads = shape.n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.head_norms = nn.ModuleDict({
            name: shape.norm(d_model // shape.n_heads) for name in head_norms
        })
        self.inner_norm = shape.make_norm() if inner_norm else None
        # Each matrix on its own: Xavier over a fused q, k, v would shrink each by sqrt(2).
        nn.init.xavier_uniform_(self.q_proj.weight)
        nn.init.xavier_uniform_(self.k_proj.weight)
        nn.init.xavier_uniform_(self.v_proj.weight, gain=gain)
        nn.init.xavier_uniform_(self.out_proj.weight, gain=gain)
        for projection in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            nn.init.zeros_(projection.bias)

    def heads(self, name: str, projected):
        """[B, T, d_model] to [B, heads, T, d_head]."""
        B, T, C = projected.shape
        split = projected.view(B, T, self.n_heads, -1).transpose(1, 2)
        return self.head_norms[name](split) if name in self.head_norms else split

    def forward(self, x):
        q = self.heads("q", self.q_proj(x))
        k = self.heads("k", self.k_proj(x))
        v = self.heads("v", self.v_proj(x))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).reshape(x.shape)
        if self.inner_norm is not None:
            y = self.inner_norm(y)
        return self.out_proj(y)


class FeedForward(nn.Module):
    """W2 gelu(W1 x + b1) + b2. `gain` scales both matrices; an inner norm stands before W2."""

    def __init__(self, shape: Shape, inner_norm=False, gain: float = 1.0):
        super().__init__()
        self.up = nn.Linear(shape.d_model, shape.d_ff)
        self.down = nn.Linear(shape.d_ff, shape.d_model)
        self.inner_norm = shape.norm(shape.d_ff) if inner_norm else None
        for matrix in (self.up, self.down):
            nn.init.xavier_uniform_(matrix.weight, gain=gain)
            nn.init.zeros_(matrix.bias)

    def forward(self, x):
        h = F.gelu(self.up(x))
        if self.inner_norm is not None:
            h = self.inner_norm(h)
        return self.down(h)


class Block(nn.Module):
    """The two branches. A placement says how they meet the stream and the norms."""

    has_final_norm = False
    has_embedding_norm = False

    def __init__(self, shape: Shape, head_norms: str = "", inner_norm=False, gain: float = 1.0):
        super().__init__()
        self.attn = Attention(shape, head_norms, inner_norm, gain)
        self.ffn = FeedForward(shape, inner_norm, gain)


class PostLN(Block):
    """x = norm(x + f(x)): the stream itself passes through every norm.

    Vaswani et al. 2017, "Attention Is All You Need", https://arxiv.org/abs/1706.03762
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape)
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()

    def forward(self, x):
        x = self.norm1(x + self.attn(x))
        x = self.norm2(x + self.ffn(x))
        return x


class PreLN(Block):
    """x = x + f(norm(x)): the stream is never normalised, and a final norm divides it out.

    Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture",
    https://arxiv.org/abs/2002.04745
    """

    has_final_norm = True

    def __init__(self, shape: Shape, index: int, head_norms: str = ""):
        super().__init__(shape, head_norms)
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        x = x + self.ffn(self.norm2(x))
        return x


class NoFinalNorm(PreLN):
    """Pre-LN without the final norm: the logits grow with depth."""

    has_final_norm = False


class Sandwich(Block):
    """x = x + norm(f(norm(x))): what a branch adds is normalised too.

    Ding et al. 2021, "CogView", https://arxiv.org/abs/2105.13290
    """

    has_final_norm = True

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape)
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()
        self.out_norm1 = shape.make_norm()
        self.out_norm2 = shape.make_norm()

    def forward(self, x):
        x = x + self.out_norm1(self.attn(self.norm1(x)))
        x = x + self.out_norm2(self.ffn(self.norm2(x)))
        return x


class PeriLN(Sandwich):
    """Sandwich-LN with a norm on the embeddings, as in Gemma 2 and 3 (which leave that one out).

    Kim et al. 2025, "Peri-LN", https://arxiv.org/abs/2502.02732
    """

    has_embedding_norm = True


class OutputNorm(Block):
    """x = x + norm(f(x)): only what a branch adds is normalised, as in OLMo 2.

    Liu et al. 2021, "Swin Transformer V2", https://arxiv.org/abs/2111.09883
    """

    has_final_norm = True

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape)
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()

    def forward(self, x):
        x = x + self.norm1(self.attn(x))
        x = x + self.norm2(self.ffn(x))
        return x


class SubLN(Block):
    """Pre-LN with one more norm inside each branch, before its last matrix.

    Values, last matrices and both of the feed-forward start larger by sqrt(ln(2 L)).
    Wang et al. 2022, "Foundation Transformers" (Magneto), https://arxiv.org/abs/2210.06423
    """

    has_final_norm = True

    def __init__(self, shape: Shape, index: int):
        gain = torch.tensor(2.0 * shape.n_layers).log().sqrt().item()
        super().__init__(shape, inner_norm=True, gain=gain)
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        x = x + self.ffn(self.norm2(x))
        return x


class DeepNorm(Block):
    """x = norm(a x + f(x)) with a = (2 L)^(1/4), and branches that start smaller by (8 L)^(-1/4).

    Wang et al. 2022, "DeepNet: Scaling Transformers to 1,000 Layers",
    https://arxiv.org/abs/2203.00555
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape, gain=(8.0 * shape.n_layers) ** -0.25)
        self.alpha = (2.0 * shape.n_layers) ** 0.25
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()

    def forward(self, x):
        x = self.norm1(self.alpha * x + self.attn(x))
        x = self.norm2(self.alpha * x + self.ffn(x))
        return x


class Admin(Block):
    """x = norm(w * x + f(x)), where w starts as the root of the variance added below.

    One pass through the fresh model measures that variance (`profile`).
    Liu et al. 2020, "Understanding the Difficulty of Training Transformers",
    https://arxiv.org/abs/2004.08249
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape)
        self.norm1 = shape.make_norm()
        self.norm2 = shape.make_norm()
        self.omega1 = nn.Parameter(torch.ones(shape.d_model))
        self.omega2 = nn.Parameter(torch.ones(shape.d_model))

    def forward(self, x):
        x = self.norm1(self.omega1 * x + self.attn(x))
        x = self.norm2(self.omega2 * x + self.ffn(x))
        return x

    def profile(self, x, variance: float):
        """Sets both w; gives the block's output and the variance that it hands on."""
        added = self.attn(x)
        self.omega1.fill_(variance**0.5)
        x = self.norm1(self.omega1 * x + added)
        variance += added.var().item()
        added = self.ffn(x)
        self.omega2.fill_(variance**0.5)
        x = self.norm2(self.omega2 * x + added)
        return x, variance + added.var().item()


class ResiDual(PostLN):
    """Post-LN beside a second stream that only sums the branches; a norm joins it at the end.

    Xie et al. 2023, "ResiDual: Transformer with Dual Residual Connections",
    https://arxiv.org/abs/2304.14802
    """

    has_final_norm = True

    def forward(self, x, dual):
        added = self.attn(x)
        x, dual = self.norm1(x + added), dual + added
        added = self.ffn(x)
        x, dual = self.norm2(x + added), dual + added
        return x, dual


class B2T(PostLN):
    """Post-LN whose last norm also adds the block's input: one path passes by the other norms.

    Takase et al. 2022, "B2T Connection: Serving Stability and Performance in Deep Transformers",
    https://arxiv.org/abs/2206.00330
    """

    def forward(self, x):
        y = self.norm1(x + self.attn(x))
        return self.norm2(x + y + self.ffn(y))


class HybridNorm(Block):
    """x = x + attn(x) with q, k and v normalised per head, then x = h + ffn(h) with h = norm(x).

    Zhuo et al. 2025, "HybridNorm", https://arxiv.org/abs/2503.04598
    """

    has_final_norm = True

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape, head_norms="qkv")
        self.norm = shape.make_norm()

    def forward(self, x):
        h = self.norm(x + self.attn(x))
        return h + self.ffn(h)


class MixLN(PreLN):
    """Post-LN in the first quarter of the blocks, Pre-LN in the others.

    Li et al. 2024, "Mix-LN: Unleashing the Power of Deeper Layers by Combining Pre-LN and Post-LN",
    https://arxiv.org/abs/2412.13795
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape, index)
        self.is_post = index < shape.n_layers // 4

    def forward(self, x):
        if not self.is_post:
            return super().forward(x)
        x = self.norm1(x + self.attn(x))
        x = self.norm2(x + self.ffn(x))
        return x


class LayerNormScaling(PreLN):
    """Pre-LN whose norms give 1 / sqrt(l) in block l: deep blocks add less.

    Sun et al. 2025, "The Curse of Depth in Large Language Models",
    https://arxiv.org/abs/2502.05795
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape, index)
        self.scale = (index + 1) ** -0.5

    def forward(self, x):
        x = x + self.attn(self.norm1(x) * self.scale)
        x = x + self.ffn(self.norm2(x) * self.scale)
        return x


class QKNorm(PreLN):
    """Pre-LN with q and k normalised per head, which bounds the logits of the attention.

    Henry et al. 2020, "Query-Key Normalization for Transformers", https://arxiv.org/abs/2010.04245
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape, index, head_norms="qk")


class NGPT(Block):
    """The stream stays on the unit sphere: x = unit(x + a (unit(f(x)) - x)).

    The rows of all matrices lie on the sphere too (here: at the start), and q and k per head. The
    paper's rescaled learning rates are left out.
    Loshchilov et al. 2024, "nGPT: Normalized Transformer with Representation Learning on the
    Hypersphere", https://arxiv.org/abs/2410.01131
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape)
        d_model, d_head = shape.d_model, shape.d_model // shape.n_heads
        self.alpha_attn = nn.Parameter(torch.full((d_model,), 0.05))
        self.alpha_ffn = nn.Parameter(torch.full((d_model,), 0.05))
        self.qk_scale = nn.Parameter(torch.ones(d_head))
        self.up_scale = nn.Parameter(torch.ones(shape.d_ff))
        with torch.no_grad():
            for matrix in (self.attn.q_proj, self.attn.k_proj, self.attn.v_proj, self.ffn.up):
                matrix.weight.copy_(unit(matrix.weight))
            for matrix in (self.attn.out_proj, self.ffn.down):
                matrix.weight.copy_(unit(matrix.weight, dim=0))

    def attention(self, x):
        attn = self.attn
        q = unit(attn.heads("q", attn.q_proj(x))) * self.qk_scale
        k = unit(attn.heads("k", attn.k_proj(x))) * self.qk_scale
        v = attn.heads("v", attn.v_proj(x))
        # Products of unit vectors are small: times sqrt(d_head) instead of divided by it.
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=q.shape[-1] ** 0.5)
        return attn.out_proj(y.transpose(1, 2).reshape(x.shape))

    def feed_forward(self, x):
        h = F.gelu(self.ffn.up(x) * self.up_scale * x.shape[-1] ** 0.5)
        return self.ffn.down(h)

    def forward(self, x):
        x = unit(x + self.alpha_attn * (unit(self.attention(x)) - x))
        x = unit(x + self.alpha_ffn * (unit(self.feed_forward(x)) - x))
        return x


def unit(x, dim: int = -1):
    """x / |x|."""
    return x / x.norm(dim=dim, keepdim=True)


class ReZero(Block):
    """x = x + a f(x) with a = 0 at the start: only a has a gradient in the first step.

    Bachlechner et al. 2020, "ReZero is All You Need", https://arxiv.org/abs/2003.04887
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape)
        self.alpha = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        x = x + self.alpha * self.attn(x)
        x = x + self.alpha * self.ffn(x)
        return x


class NoNorm(Block):
    """x = x + f(x), and nothing else: the stream grows exponentially with depth."""

    def __init__(self, shape: Shape, index: int, gain: float = 1.0):
        super().__init__(shape, gain=gain)

    def forward(self, x):
        x = x + self.attn(x)
        x = x + self.ffn(x)
        return x


class Fixup(NoNorm):
    """No norm: branches and embeddings that start smaller by 0.67 L^(-1/4) (T-Fixup).

    Zhang et al. 2019, "Fixup Initialization", https://arxiv.org/abs/1901.09321
    Huang et al. 2020, "Improving Transformer Optimization Through Better Initialization",
    https://proceedings.mlr.press/v119/huang20f.html
    """

    def __init__(self, shape: Shape, index: int):
        super().__init__(shape, index, gain=0.67 * shape.n_layers**-0.25)


BLOCKS = {
    "post": PostLN,
    "pre": PreLN,
    "no_final_norm": NoFinalNorm,
    "sandwich": Sandwich,
    "peri": PeriLN,
    "output": OutputNorm,
    "sub_ln": SubLN,
    "deepnorm": DeepNorm,
    "admin": Admin,
    "residual": ResiDual,
    "b2t": B2T,
    "hybrid": HybridNorm,
    "mix_ln": MixLN,
    "ln_scaling": LayerNormScaling,
    "qk_norm": QKNorm,
    "ngpt": NGPT,
    "rezero": ReZero,
    "fixup": Fixup,
    "dyt": PreLN,
    "none": NoNorm,
}


class Decoder(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]. `norm` is what stands at each norm's place."""

    def __init__(
        self,
        placement: Literal[
            "post", "pre", "no_final_norm", "sandwich", "peri", "output", "sub_ln", "deepnorm",
            "admin", "residual", "b2t", "hybrid", "mix_ln", "ln_scaling", "qk_norm", "ngpt",
            "rezero", "fixup", "dyt", "none",
        ] = "pre",
        norm: Literal["LayerNorm", "RMSNorm"] = "LayerNorm",
        vocab_size: int = 256,
        d_model: int = 64,
        n_layers: int = 12,
        n_heads: int = 4,
        d_ff: int = 256,
        max_len: int = 64,
    ):
        super().__init__()
        norms = {"LayerNorm": nn.LayerNorm, "RMSNorm": RMSNorm}
        norm_class = DyT if placement == "dyt" else norms[norm]
        shape = Shape(d_model, n_heads, d_ff, n_layers, norm_class)
        block = BLOCKS[placement]
        self.placement = placement
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(max_len, d_model)
        self.embedding_norm = shape.make_norm() if block.has_embedding_norm else None
        self.blocks = nn.ModuleList([block(shape, i) for i in range(n_layers)])
        self.final_norm = shape.make_norm() if block.has_final_norm else None
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.head.weight, std=d_model**-0.5)
        self._init_embeddings(d_model, n_layers)
        if placement == "admin":
            self._profile(vocab_size, max_len)

    def _init_embeddings(self, d_model: int, n_layers: int):
        std = 0.67 * n_layers**-0.25 * d_model**-0.5 if self.placement == "fixup" else 1.0
        nn.init.normal_(self.token_embedding.weight, std=std)
        nn.init.normal_(self.position_embedding.weight, std=std)

    @torch.no_grad()
    def _profile(self, vocab_size: int, max_len: int):
        x = self.embed(torch.arange(max_len).unsqueeze(0) % vocab_size)
        variance = x.var().item()
        for block in self.blocks:
            x, variance = block.profile(x, variance)

    def embed(self, idx):
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.token_embedding(idx) + self.position_embedding(positions)
        if self.embedding_norm is not None:
            x = self.embedding_norm(x)
        return unit(x) if self.placement == "ngpt" else x

    def forward(self, idx):
        x = self.embed(idx)
        if self.placement == "residual":
            return self.head(self._both_streams(x))
        for block in self.blocks:
            x = block(x)
        if self.final_norm is not None:
            x = self.final_norm(x)
        return self.head(x)

    def _both_streams(self, x):
        dual = x
        for block in self.blocks:
            x, dual = block(x, dual)
        return x + self.final_norm(dual)
