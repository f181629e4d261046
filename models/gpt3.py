"""GPT-3: GPT-2 with every second layer of attention narrowed to a band (sparse attention).

    x = x + Attention(LayerNorm(x))
    x = x + MLP(LayerNorm(x))

Layers with an even index see every position before; layers with an odd one only those less than
`band` away. The paper says "alternating dense and locally banded sparse attention patterns" and not
how wide the band is: 128 is an assumption.
Brown et al. 2020, "Language Models are Few-Shot Learners", https://arxiv.org/abs/2005.14165
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "Brown et al. 2020, section 2.1"),
    "norm": ("LayerNorm", "Brown et al. 2020, section 2.1 (as GPT-2)"),
    "eps": ("not disclosed; GPT-2's 1e-5", "openai/gpt-2, src/model.py"),
    "attention": ("causal, alternately dense and banded", "Brown et al. 2020, section 2.1"),
    "positions": ("learned", "Brown et al. 2020, section 2.1 (as GPT-2)"),
    "feed-forward": ("GELU, 4 times as wide", "Brown et al. 2020, section 2.1"),
    "initialisation": ("as GPT-2", "Brown et al. 2020, section 2.1"),
}

PRESETS = {
    "tiny": dict(),
    "gpt3-small": dict(vocab_size=50257, d_model=768, n_layers=12, n_heads=12, max_len=2048),
    "gpt3-medium": dict(vocab_size=50257, d_model=1024, n_layers=24, n_heads=16, max_len=2048),
    "gpt3-large": dict(vocab_size=50257, d_model=1536, n_layers=24, n_heads=16, max_len=2048),
    # The paper prints 24 heads of 128; 16 of them make up the width.
    "gpt3-xl": dict(vocab_size=50257, d_model=2048, n_layers=24, n_heads=16, max_len=2048),
    "gpt3-2.7b": dict(vocab_size=50257, d_model=2560, n_layers=32, n_heads=32, max_len=2048),
    "gpt3-6.7b": dict(vocab_size=50257, d_model=4096, n_layers=32, n_heads=32, max_len=2048),
    # The paper prints a width of 5140; 40 heads of 128 make 5120.
    "gpt3-13b": dict(vocab_size=50257, d_model=5120, n_layers=40, n_heads=40, max_len=2048),
    "gpt3-175b": dict(vocab_size=50257, d_model=12288, n_layers=96, n_heads=96, max_len=2048),
}


class Conv1D(nn.Module):
    """x W + b, with W as [d_in, d_out]: the way the released weights lie."""

    def __init__(self, d_in: int, d_out: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_in, d_out))
        self.bias = nn.Parameter(torch.zeros(d_out))

    def forward(self, x):
        return x @ self.weight + self.bias


def window_mask(length: int, window: int):
    """True where a position sees another: itself and the `window` - 1 before it."""
    positions = torch.arange(length)
    distance = positions[:, None] - positions
    return (distance >= 0) & (distance < window)


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head, where the mask is true."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.c_attn = Conv1D(d_model, 3 * d_model)
        self.c_proj = Conv1D(d_model, d_model)

    def forward(self, x, mask):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).split(C, dim=-1)
        q = q.view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = k.view(B, T, self.n_heads, -1).transpose(1, 2)
        v = v.view(B, T, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))


class MLP(nn.Module):
    """W_proj gelu(W_fc x + b) + b, with the tanh form of GELU."""

    def __init__(self, d_model: int):
        super().__init__()
        self.c_fc = Conv1D(d_model, 4 * d_model)
        self.c_proj = Conv1D(4 * d_model, d_model)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    """x + attn(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, d_model: int, n_heads: int, eps: float):
        super().__init__()
        self.ln_1 = nn.LayerNorm(d_model, eps=eps)
        self.attn = Attention(d_model, n_heads)
        self.ln_2 = nn.LayerNorm(d_model, eps=eps)
        self.mlp = MLP(d_model)

    def forward(self, x, mask):
        x = x + self.attn(self.ln_1(x), mask)
        x = x + self.mlp(self.ln_2(x))
        return x


class GPT3(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        max_len: int = 64,
        band: int = 128,
        eps: float = 1e-5,
    ):
        super().__init__()
        self.band = band
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(vocab_size, d_model),
            "wpe": nn.Embedding(max_len, d_model),
            "h": nn.ModuleList([Block(d_model, n_heads, eps) for _ in range(n_layers)]),
            "ln_f": nn.LayerNorm(d_model, eps=eps),
        })
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight
        for name, parameter in self.named_parameters():
            if name.endswith("c_proj.weight"):
                # Each block adds two branches to the stream.
                nn.init.normal_(parameter, std=0.02 / (2 * n_layers) ** 0.5)
            elif "wpe" in name:
                nn.init.normal_(parameter, std=0.01)
            elif name.endswith(("c_attn.weight", "c_fc.weight", "wte.weight")):
                nn.init.normal_(parameter, std=0.02)

    def forward(self, idx):
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.transformer.wte(idx) + self.transformer.wpe(positions)
        T = idx.shape[1]
        masks = [window_mask(T, T), window_mask(T, self.band)]
        for i, block in enumerate(self.transformer.h):
            x = block(x, masks[i % 2])
        return self.lm_head(self.transformer.ln_f(x))
