"""What Normscope reports, by PyTorch's hooks: statistics of every module output, its gradient, and
every parameter and its gradient."""
import math

import torch

NAMES = ["count", "mean", "std", "rms", "min", "max", "absMax", "l2", "zeroFraction",
         "nan", "posInf", "negInf"]


def stats(tensor):
    """The numbers named in NAMES, over the finite elements, with as few passes as PyTorch allows."""
    x = tensor.detach().reshape(-1)
    count = x.numel()
    zeros = count - int(torch.count_nonzero(x))
    l2 = float(torch.linalg.vector_norm(x))
    nan = pos_inf = neg_inf = 0
    if not math.isfinite(l2):
        nan = int(x.isnan().sum())
        pos_inf = int(x.isposinf().sum())
        neg_inf = int(x.isneginf().sum())
        x = x[torch.isfinite(x)]
        l2 = float(torch.linalg.vector_norm(x))
    std, mean = map(float, torch.std_mean(x, correction=0))
    low, high = map(float, torch.aminmax(x))
    rms = l2 / math.sqrt(x.numel())
    return [count, mean, std, rms, low, high, max(abs(low), abs(high)), l2, zeros / count,
            nan, pos_inf, neg_inf]


class Watch:
    """Hooks on every module of a model. `rows` holds what came since `clear`."""

    def __init__(self, model):
        self.model = model
        self.rows = []
        for name, module in model.named_modules():
            module.register_forward_hook(self._forward_hook(name))

    def clear(self):
        self.rows.clear()

    def parameters(self):
        """To be called after backward."""
        for name, p in self.model.named_parameters():
            self.rows.append((name, "parameter", stats(p)))
            self.rows.append((name, "gradient", stats(p.grad)))

    def _forward_hook(self, name):
        def after(module, args, output):
            self.rows.append((name, "activation", stats(output)))
            if output.requires_grad:
                output.register_hook(
                    lambda gradient: self.rows.append((name, "gradient", stats(gradient))))

        return after
