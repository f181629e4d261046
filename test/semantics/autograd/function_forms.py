"""Functions with setup_context, several results, edits of their arguments, and no gradient for some."""
import torch
from torch import nn
from torch.autograd import Function

GOLDEN = ("parameters", "modules")


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Doubled(Function):
    @staticmethod
    def forward(x):
        return x * 2, x.sign()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(inputs[0], output[0])

    @staticmethod
    def backward(ctx, d_doubled, d_sign):
        x, doubled = ctx.saved_tensors
        return d_doubled * 3 + x * doubled


class Squared(Function):
    """In place."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x.clone())
        return x.mul_(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0] * 2.5


class Sum(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.set_materialize_grads(False)
        return x + y, x - y

    @staticmethod
    def backward(ctx, d_sum, d_difference):
        assert d_difference is None
        assert ctx.needs_input_grad == (True, False)
        return d_sum, None


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, -1.7, 2.4]))

    def forward(self):
        doubled, sign = Doubled.apply(self.w)
        y = self.w * 1.5
        Squared.apply(y)
        total, _ = Sum.apply(self.w, torch.ones(3))
        with torch.no_grad():
            plain, _ = Doubled.apply(self.w)
        return mix(doubled, sign, y, total, plain)


def build():
    return Model()


def step(model):
    return model()
