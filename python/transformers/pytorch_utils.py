"""Layers and helpers that model files import."""

import torch
from torch import nn


class Conv1D(nn.Module):
    """A linear layer whose weight is [in, out], as GPT-2's."""

    def __init__(self, nf, nx):
        super().__init__()
        self.nf = nf
        self.nx = nx
        self.weight = nn.Parameter(torch.empty(nx, nf))
        self.bias = nn.Parameter(torch.zeros(nf))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, x):
        size_out = x.size()[:-1] + (self.nf,)
        x = torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight)
        return x.view(size_out)


def apply_chunking_to_forward(forward_fn, chunk_size, chunk_dim, *input_tensors):
    """The function of all parts along an axis, put together again."""
    if chunk_size <= 0:
        return forward_fn(*input_tensors)
    size = input_tensors[0].shape[chunk_dim]
    if size % chunk_size != 0:
        raise ValueError(
            f"The dimension to be chunked {size} has to be a multiple of the chunk size {chunk_size}"
        )
    parts = zip(*(tensor.chunk(size // chunk_size, dim=chunk_dim) for tensor in input_tensors))
    return torch.cat([forward_fn(*part) for part in parts], dim=chunk_dim)


ALL_LAYERNORM_LAYERS = [nn.LayerNorm]
is_torch_greater_or_equal_than_1_13 = is_torch_greater_or_equal_than_2_0 = True
