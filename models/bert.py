"""BERT: an encoder with LayerNorm after each residual addition (Post-LN) and on the embeddings.

    x = LayerNorm(x + Attention(x))
    x = LayerNorm(x + MLP(x))

The last block's norm is the output; the head that predicts masked tokens has one more LayerNorm and
the embedding's own matrix. The names of the parameters are those of the checkpoints for Hugging
Face transformers.
Devlin et al. 2018, "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding", https://arxiv.org/abs/1810.04805
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Post-norm, no final norm", "google-research/bert, modeling.py"),
    "norm": ("LayerNorm, also on the embeddings", "google-research/bert, modeling.py"),
    "eps": ("1e-12, inside the root", "transformers, bert/configuration_bert.py"),
    "attention": ("bidirectional", "Devlin et al. 2018, section 3"),
    "positions": ("learned, and learned segments", "Devlin et al. 2018, section 3"),
    "feed-forward": ("GELU, 4 times as wide", "Devlin et al. 2018, section 3"),
    "initialisation": ("truncated normal, std 0.02", "google-research/bert, modeling.py"),
}

PRESETS = {
    "tiny": dict(),
    "bert-base": dict(
        vocab_size=30522, d_model=768, n_layers=12, n_heads=12, d_ff=3072, max_len=512
    ),
    "bert-large": dict(
        vocab_size=30522, d_model=1024, n_layers=24, n_heads=16, d_ff=4096, max_len=512
    ),
}


class Embeddings(nn.Module):
    """norm(word + position + segment); all tokens are of the first segment."""

    def __init__(self, vocab_size: int, d_model: int, max_len: int, eps: float):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, d_model)
        self.position_embeddings = nn.Embedding(max_len, d_model)
        self.token_type_embeddings = nn.Embedding(2, d_model)
        self.LayerNorm = nn.LayerNorm(d_model, eps=eps)

    def forward(self, idx):
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.word_embeddings(idx) + self.token_type_embeddings(torch.zeros_like(idx))
        return self.LayerNorm(x + self.position_embeddings(positions))


class SelfAttention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; every position sees every other."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q = self.query(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.key(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        v = self.value(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v)
        return y.transpose(1, 2).reshape(B, T, C)


class AddAndNorm(nn.Module):
    """norm(stream + W y + b): the last matrix of a branch, the residual addition, and the norm."""

    def __init__(self, d_in: int, d_model: int, eps: float):
        super().__init__()
        self.dense = nn.Linear(d_in, d_model)
        self.LayerNorm = nn.LayerNorm(d_model, eps=eps)

    def forward(self, y, stream):
        return self.LayerNorm(stream + self.dense(y))


class Layer(nn.Module):
    """norm(x + attn(x)), then norm(x + mlp(x)): the stream itself passes through both norms."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, eps: float):
        super().__init__()
        self.attention = nn.ModuleDict({
            "self": SelfAttention(d_model, n_heads),
            "output": AddAndNorm(d_model, d_model, eps),
        })
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(d_model, d_ff)})
        self.output = AddAndNorm(d_ff, d_model, eps)

    def forward(self, x):
        x = self.attention["output"](self.attention["self"](x), x)
        x = self.output(F.gelu(self.intermediate["dense"](x)), x)
        return x


class MaskedLMHead(nn.Module):
    """E norm(gelu(W x + b)) + b, where E is the matrix of the word embeddings."""

    def __init__(self, vocab_size: int, d_model: int, eps: float):
        super().__init__()
        self.transform = nn.ModuleDict({
            "dense": nn.Linear(d_model, d_model),
            "LayerNorm": nn.LayerNorm(d_model, eps=eps),
        })
        self.decoder = nn.Linear(d_model, vocab_size, bias=False)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, x):
        x = F.gelu(self.transform["dense"](x))
        return self.decoder(self.transform["LayerNorm"](x)) + self.bias


class BERT(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        d_ff: int = 128,
        max_len: int = 64,
        eps: float = 1e-12,
    ):
        super().__init__()
        self.bert = nn.ModuleDict({
            "embeddings": Embeddings(vocab_size, d_model, max_len, eps),
            "encoder": nn.ModuleDict({
                "layer": nn.ModuleList([
                    Layer(d_model, n_heads, d_ff, eps) for _ in range(n_layers)
                ]),
            }),
        })
        self.cls = nn.ModuleDict({"predictions": MaskedLMHead(vocab_size, d_model, eps)})
        self.cls["predictions"].decoder.weight = self.bert["embeddings"].word_embeddings.weight
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.trunc_normal_(module.weight, std=0.02, a=-0.04, b=0.04)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, idx):
        x = self.bert["embeddings"](idx)
        for layer in self.bert["encoder"]["layer"]:
            x = layer(x)
        return self.cls["predictions"](x)
