"""Encoder and decoder with padding, tied weights and smoothed labels."""
import torch
from torch import nn
import torch.nn.functional as F

MODE = "train"


class Translator(nn.Module):
    def __init__(self, vocabulary=24, width=16):
        super().__init__()
        self.source = nn.Embedding(vocabulary, width, padding_idx=0)
        self.target = nn.Embedding(vocabulary, width, padding_idx=0)
        self.body = nn.Transformer(width, 2, 2, 2, 32, dropout=0.1, batch_first=True)
        self.out = nn.Linear(width, vocabulary, bias=False)
        self.out.weight = self.target.weight

    def forward(self, source, target):
        causal = nn.Transformer.generate_square_subsequent_mask(target.size(1))
        hidden = source == 0
        masks = {"src_key_padding_mask": hidden, "memory_key_padding_mask": hidden}
        x = self.body(self.source(source), self.target(target), tgt_mask=causal, **masks)
        return self.out(x)


def build():
    return Translator()


def step(model):
    source = torch.randint(0, 24, (4, 10))
    target = torch.randint(1, 24, (4, 8))
    logits = model(source, target[:, :-1])
    return F.cross_entropy(logits.transpose(1, 2), target[:, 1:], label_smoothing=0.1)
