"""PostLNTransformer with LayerNorm, 24 layers."""
from pathlib import Path
import sys

import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "models"))
from post_ln import PostLNTransformer  # noqa: E402

GOLDEN = ("parameters", "modules")


def build():
    return PostLNTransformer(
        vocab_size=48, d_model=16, n_layers=24, n_heads=2, d_ff=32, max_len=16, norm="LayerNorm"
    )


def step(model):
    idx = (torch.arange(24) * 29 % 48).view(2, 12)
    logits = model(idx)
    return F.cross_entropy(logits[:, :-1].reshape(-1, 48), idx[:, 1:].reshape(-1))
