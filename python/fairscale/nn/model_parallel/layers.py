"""The layers, whole: weights are drawn by xavier_normal_, biases are zeros."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import init


class _ParallelLinear(nn.Module):
    def _make(self, in_features, out_features, bias, init_method):
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.Tensor(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.Tensor(out_features))
            with torch.no_grad():
                self.bias.zero_()
        else:
            self.register_parameter("bias", None)
        init_method(self.weight)

    def get_master_weight(self):
        return self.weight.data


class ColumnParallelLinear(_ParallelLinear):
    def __init__(
        self,
        in_features,
        out_features,
        bias=True,
        gather_output=True,
        init_method=init.xavier_normal_,
        stride=1,
        keep_master_weight_for_test=False,
    ):
        super().__init__()
        self.gather_output = gather_output
        self.output_size_per_partition = out_features
        self._make(in_features, out_features, bias, init_method)

    def forward(self, input_):
        return F.linear(input_, self.weight, self.bias)


class RowParallelLinear(_ParallelLinear):
    def __init__(
        self,
        in_features,
        out_features,
        bias=True,
        input_is_parallel=False,
        init_method=init.xavier_normal_,
        stride=1,
        keep_master_weight_for_test=False,
    ):
        super().__init__()
        self.input_is_parallel = input_is_parallel
        self.input_size_per_partition = in_features
        self._make(in_features, out_features, bias, init_method)

    def forward(self, input_):
        output = F.linear(input_, self.weight)
        return output if self.bias is None else output + self.bias


class _Embedding(nn.Module):
    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        init_method=init.xavier_normal_,
        keep_master_weight_for_test=False,
    ):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        self.weight = nn.Parameter(torch.Tensor(num_embeddings, embedding_dim))
        init_method(self.weight)

    def forward(self, input_):
        return F.embedding(
            input_,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )


class ParallelEmbedding(_Embedding):
    pass


class VocabParallelEmbedding(_Embedding):
    pass
