"""ViT: an image as a sequence of patches through a Pre-LN encoder; one more token gives the class.

    x = x + Attention(LayerNorm(x))
    x = x + MLP(LayerNorm(x))

The names of the parameters are those of Hugging Face transformers' model.
Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words", https://arxiv.org/abs/2010.11929
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "Dosovitskiy et al. 2020, section 3.1"),
    "norm": ("LayerNorm", "Dosovitskiy et al. 2020, section 3.1"),
    "eps": ("1e-12 in the converted checkpoints", "transformers, vit/configuration_vit.py"),
    "attention": ("bidirectional", "Dosovitskiy et al. 2020, section 3.1"),
    "positions": ("learned", "Dosovitskiy et al. 2020, section 3.1"),
    "feed-forward": ("GELU, 4 times as wide", "Dosovitskiy et al. 2020, section 3.1"),
    "initialisation": ("truncated normal, std 0.02", "transformers, vit/modeling_vit.py"),
}

PRESETS = {
    "tiny": dict(),
    "vit-b16": dict(
        image_size=224, patch_size=16, n_classes=1000, d_model=768, n_layers=12, n_heads=12,
        d_ff=3072,
    ),
    "vit-l16": dict(
        image_size=224, patch_size=16, n_classes=1000, d_model=1024, n_layers=24, n_heads=16,
        d_ff=4096,
    ),
    "vit-h14": dict(
        image_size=224, patch_size=14, n_classes=1000, d_model=1280, n_layers=32, n_heads=16,
        d_ff=5120,
    ),
}


class PatchEmbeddings(nn.Module):
    """Images [B, 3, H, W] to [B, patches, d_model]: one matrix for the pixels of each patch."""

    def __init__(self, patch_size: int, d_model: int):
        super().__init__()
        self.projection = nn.Conv2d(3, d_model, kernel_size=patch_size, stride=patch_size)

    def forward(self, images):
        return self.projection(images).flatten(2).transpose(1, 2)


class Embeddings(nn.Module):
    """The class token and the patches, each with its learned position."""

    def __init__(self, image_size: int, patch_size: int, d_model: int):
        super().__init__()
        n_patches = (image_size // patch_size) ** 2
        self.cls_token = nn.Parameter(torch.empty(1, 1, d_model))
        self.position_embeddings = nn.Parameter(torch.empty(1, 1 + n_patches, d_model))
        self.patch_embeddings = PatchEmbeddings(patch_size, d_model)

    def forward(self, images):
        patches = self.patch_embeddings(images)
        x = torch.cat((self.cls_token.expand(images.shape[0], -1, -1), patches), dim=1)
        return x + self.position_embeddings


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; every position sees every other."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.o_proj(y.transpose(1, 2).reshape(B, T, C))


class MLP(nn.Module):
    """W2 gelu(W1 x + b1) + b2."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.fc1 = nn.Linear(d_model, d_ff)
        self.fc2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


class Block(nn.Module):
    """x + attn(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, eps: float):
        super().__init__()
        self.layernorm_before = nn.LayerNorm(d_model, eps=eps)
        self.attention = Attention(d_model, n_heads)
        self.layernorm_after = nn.LayerNorm(d_model, eps=eps)
        self.mlp = MLP(d_model, d_ff)

    def forward(self, x):
        x = x + self.attention(self.layernorm_before(x))
        x = x + self.mlp(self.layernorm_after(x))
        return x


class ViT(nn.Module):
    """Images [B, 3, image_size, image_size] to logits [B, n_classes]."""

    def __init__(
        self,
        image_size: int = 16,
        patch_size: int = 4,
        n_classes: int = 10,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        d_ff: int = 128,
        eps: float = 1e-12,
    ):
        super().__init__()
        self.image_size = image_size
        self.vit = nn.ModuleDict({
            "embeddings": Embeddings(image_size, patch_size, d_model),
            "layers": nn.ModuleList([
                Block(d_model, n_heads, d_ff, eps) for _ in range(n_layers)
            ]),
            "layernorm": nn.LayerNorm(d_model, eps=eps),
        })
        self.classifier = nn.Linear(d_model, n_classes)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Conv2d)):
            nn.init.trunc_normal_(module.weight, std=0.02)
            nn.init.zeros_(module.bias)
        elif isinstance(module, Embeddings):
            nn.init.trunc_normal_(module.cls_token, std=0.02)
            nn.init.trunc_normal_(module.position_embeddings, std=0.02)

    def forward(self, images):
        x = self.vit["embeddings"](images)
        for layer in self.vit["layers"]:
            x = layer(x)
        return self.classifier(self.vit["layernorm"](x)[:, 0])
