"""GPT-2: a decoder with LayerNorm before each branch and a final one (Pre-LN).

    x = x + Attention(LayerNorm(x))
    x = x + MLP(LayerNorm(x))

The last matrix of each branch starts smaller by 1 / sqrt(number of branches), so that the stream
has the same size at any depth. The names of the parameters are those of Hugging Face transformers'
model.
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners",
https://github.com/openai/gpt-2
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "Radford et al. 2019, section 2.3"),
    "norm": ("LayerNorm", "openai/gpt-2, src/model.py"),
    "eps": ("1e-5, inside the root", "openai/gpt-2, src/model.py"),
    "attention": ("causal", "openai/gpt-2, src/model.py"),
    "positions": ("learned", "openai/gpt-2, src/model.py"),
    "feed-forward": ("GELU (tanh form), 4 times as wide", "openai/gpt-2, src/model.py"),
    "initialisation": ("0.02; branch ends / sqrt(2 L)", "Radford et al. 2019, section 2.3"),
}

PRESETS = {
    "tiny": dict(),
    "gpt2": dict(vocab_size=50257, d_model=768, n_layers=12, n_heads=12, max_len=1024),
    "gpt2-medium": dict(vocab_size=50257, d_model=1024, n_layers=24, n_heads=16, max_len=1024),
    "gpt2-large": dict(vocab_size=50257, d_model=1280, n_layers=36, n_heads=20, max_len=1024),
    "gpt2-xl": dict(vocab_size=50257, d_model=1600, n_layers=48, n_heads=25, max_len=1024),
}


class Conv1D(nn.Module):
    """x W + b, with W as [d_in, d_out]: the way the released weights lie."""

    def __init__(self, d_in: int, d_out: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_in, d_out))
        self.bias = nn.Parameter(torch.zeros(d_out))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; a position sees itself and those before it."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.c_attn = Conv1D(d_model, 3 * d_model)
        self.c_proj = Conv1D(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).split(C, dim=-1)
        q = q.view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = k.view(B, T, self.n_heads, -1).transpose(1, 2)
        v = v.view(B, T, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
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

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        x = x + self.mlp(self.ln_2(x))
        return x


class GPT2(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        max_len: int = 64,
        eps: float = 1e-5,
    ):
        super().__init__()
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
        for block in self.transformer.h:
            x = block(x)
        return self.lm_head(self.transformer.ln_f(x))
