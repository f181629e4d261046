"""Hooks of all modules: around calls, in backward, where modules, parameters and buffers are registered."""
import torch
from torch import nn
from torch.nn.modules import module as hooks


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 3)
        self.norm = nn.BatchNorm1d(3)
        self.names = []

    def forward(self, x, scale=1.0):
        return mix(self.norm(self.b(torch.tanh(self.a(x)))) * scale)


def build():
    seen = []

    def halved(module, name, value):
        seen.append(name)
        return nn.Parameter(value * 0.5) if name == "bias" else None

    handles = [
        hooks.register_module_parameter_registration_hook(halved),
        hooks.register_module_module_registration_hook(lambda m, name, child: seen.append(name)),
        hooks.register_module_buffer_registration_hook(
            lambda m, name, value: value + 1 if name == "running_mean" else seen.append(name)
        ),
    ]
    with torch.random.fork_rng():
        model = Model()
    for handle in handles:
        handle.remove()
    model.names = seen
    assert seen == [
        *("weight", "bias", "a", "weight", "bias", "b"),
        *("weight", "bias", "running_var", "num_batches_tracked", "norm"),
    ], seen
    return model


def step(model):
    calls = []

    def before_backward(module, outputs):
        calls.append("before " + type(module).__name__)
        return tuple(0.5 * g for g in outputs) if isinstance(module, nn.BatchNorm1d) else None

    def after_backward(module, inputs, outputs):
        calls.append("after " + type(module).__name__)
        return (inputs[0] * 3,) if module is model.b else None

    def named(module, args, kwargs, result):
        calls.append(",".join(kwargs))
        return result * 2 if isinstance(module, nn.Linear) else None

    def always(module, args, result):
        calls.append("always")

    handles = [
        hooks.register_module_full_backward_pre_hook(before_backward),
        hooks.register_module_full_backward_hook(after_backward),
        hooks.register_module_forward_hook(named, with_kwargs=True),
    ]
    x = torch.linspace(-1, 1, 12).view(4, 3).requires_grad_()
    loss = model(x, scale=2.0)
    for handle in handles:
        handle.remove()
    assert calls == ["", "", "", "scale"], calls
    model.a.register_forward_hook(always, always_call=True)
    with hooks.register_module_forward_hook(lambda *_: calls.append("all"), always_call=True):
        try:
            model.a(torch.ones(2))
        except RuntimeError:
            calls.append("raised")
    assert calls[4:] == ["all", "always", "raised"], calls
    try:
        model.a.register_forward_pre_hook(lambda m, args, kwargs: args, with_kwargs=True)
        model.a(x)
    except RuntimeError as error:
        assert "tuple of (new_args, new_kwargs)" in str(error)
    return loss


GOLDEN = ("buffers", "parameters", "modules")
