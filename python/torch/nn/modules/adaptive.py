"""Softmax over clusters of classes: frequent ones in the head, others in tails of lower rank."""

import collections
import itertools

from ..._call import call
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = collections.namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    def __init__(
        self,
        in_features,
        n_classes,
        cutoffs,
        div_value=4.0,
        head_bias=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        cutoffs = list(cutoffs)
        ascending = cutoffs == sorted(set(cutoffs))
        if not cutoffs or not ascending or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing "
                "order, "
                "where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for i, (low, high) in enumerate(itertools.pairwise(self.cutoffs)):
            rank = int(in_features // (div_value ** (i + 1)))
            first = Linear(in_features, rank, bias=False, device=device, dtype=dtype)
            self.tail.append(
                Sequential(first, Linear(rank, high - low, bias=False, device=device, dtype=dtype))
            )

    def reset_parameters(self):
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_, target_):
        _check_sizes(input_, target_)
        batched = target_.dim() > 0
        input = input_ if batched else input_.unsqueeze(0)
        target = target_ if batched else target_.unsqueeze(0)
        output = input.new_zeros(target.shape[0])
        places = target.new_empty(target.shape[0])
        found = 0
        for i, (low, high) in enumerate(itertools.pairwise([0, *self.cutoffs])):
            is_own = (target >= low) & (target < high)
            rows = is_own.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            found += rows.numel()
            wanted = target[is_own]
            if i == 0:
                places.index_copy_(0, rows, wanted)
                continue
            # A cluster sees the rows whose target it has, and no others.
            within = wanted - low
            scores = self.tail[i - 1](input.index_select(0, rows))
            places.index_fill_(0, rows, self.shortlist_size + i - 1)
            own = F.log_softmax(scores, dim=1).gather(1, within.unsqueeze(1))
            output.index_copy_(0, rows, own.squeeze(1))
        if found != target.shape[0]:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        head = F.log_softmax(self.head(input), dim=1)
        output += head.gather(1, places.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def log_prob(self, input):
        return self._log_prob(input, self.head(input))

    def _log_prob(self, input, head):
        """[rows, n_classes]; `head` is the head's output for `input`."""
        out = input.new_empty((head.size(0), self.n_classes))
        of_head = F.log_softmax(head, dim=1)
        out[:, : self.shortlist_size] = of_head[:, : self.shortlist_size]
        ends = itertools.pairwise(self.cutoffs)
        for i, (cluster, (start, end)) in enumerate(zip(self.tail, ends)):
            within = F.log_softmax(cluster(input), dim=1)
            out[:, start:end] = within + of_head[:, self.shortlist_size + i].unsqueeze(1)
        return out

    def predict(self, input):
        """The likeliest class of each row; tails are only asked for rows whose head leaves it to them."""
        head = self.head(input)
        best = call("argmax", (head,), {"dim": 1})
        in_tail = best >= self.shortlist_size
        if not in_tail.any():
            return best
        if in_tail.all():
            return call("argmax", (self._log_prob(input, head),), {"dim": 1})
        of_tails = self._log_prob(input[in_tail], head[in_tail])
        best[in_tail] = call("argmax", (of_tails,), {"dim": 1})
        return best


def _check_sizes(input, target):
    if target.dim() > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input.dim() != target.dim() + 1:
        raise RuntimeError(
            f"{target.dim()}D target tensor expects {target.dim() + 1}D input tensors, "
            f"but found inputs with size {input.size()}"
        )
    if target.dim() == 1 and input.shape[0] != target.shape[0]:
        raise RuntimeError("Input and target should have the same size in the batch dimension.")
