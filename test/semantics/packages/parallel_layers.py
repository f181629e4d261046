"""The layers of LLaMA's first release, on one rank."""

import os
import tempfile

import fairscale.nn.model_parallel.initialize as fs_init
import torch
from fairscale.nn.model_parallel.layers import (
    ColumnParallelLinear, RowParallelLinear, VocabParallelEmbedding,
)
from fairscale.nn.model_parallel.mappings import reduce_from_model_parallel_region
from torch import nn

# What the package does between the ranks is its own affair.
GOLDEN = ("parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.ranks = fs_init.get_model_parallel_world_size()
        self.tokens = VocabParallelEmbedding(11, 8)
        self.places = VocabParallelEmbedding(6, 8, init_method=lambda x: x)
        nn.init.normal_(self.places.weight, std=0.3)
        self.up = ColumnParallelLinear(8, 16 // self.ranks, bias=False, gather_output=False, init_method=lambda x: x)
        nn.init.uniform_(self.up.weight)
        self.down = RowParallelLinear(16, 8, bias=True, input_is_parallel=True)
        self.out = ColumnParallelLinear(8, 11, bias=True, gather_output=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        x = reduce_from_model_parallel_region(x + self.down(torch.relu(self.up(x))))
        return self.out(x)


def build():
    if not fs_init.model_parallel_is_initialized():
        file = os.path.join(tempfile.mkdtemp(), "ranks")
        torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=0, world_size=1)
        fs_init.initialize_model_parallel(1)
    return Model()


def step(model):
    ids = torch.tensor([[1, 4, 10, 0], [3, 3, 2, 7]])
    return nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
