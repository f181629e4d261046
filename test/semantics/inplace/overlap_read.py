"""Blocks are copied from the tensor that they are written to."""
import torch


def build():
    return torch.nn.Identity()


def step(model):
    x = torch.arange(4.0)
    x[::2].copy_(x[1::2])
    x.index_copy_(0, torch.tensor([0, 1]), x[1:3])
    return x.sum()
