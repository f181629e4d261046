"""Layers to whose outputs a product of two narrow ones may be added (arXiv:2106.09685)."""

from torch import nn


class _LoRALayer(nn.Module):
    def _start(self, rank, network_alpha):
        self.network_alpha, self.rank = network_alpha, rank
        nn.init.normal_(self.down.weight, std=1 / rank)
        nn.init.zeros_(self.up.weight)

    def forward(self, hidden_states):
        out = self.up(self.down(hidden_states.to(self.down.weight.dtype)))
        if self.network_alpha is not None:
            out = out * (self.network_alpha / self.rank)
        return out.to(hidden_states.dtype)


class LoRALinearLayer(_LoRALayer):
    """B A x · alpha / rank"""

    def __init__(
        self, in_features, out_features, rank=4, network_alpha=None, device=None, dtype=None
    ):
        super().__init__()
        options = {"bias": False, "device": device, "dtype": dtype}
        self.down = nn.Linear(in_features, rank, **options)
        self.up = nn.Linear(rank, out_features, **options)
        self.in_features, self.out_features = in_features, out_features
        self._start(rank, network_alpha)


class LoRAConv2dLayer(_LoRALayer):
    def __init__(
        self,
        in_features,
        out_features,
        rank=4,
        kernel_size=(1, 1),
        stride=(1, 1),
        padding=0,
        network_alpha=None,
    ):
        super().__init__()
        self.down = nn.Conv2d(in_features, rank, kernel_size, stride, padding, bias=False)
        self.up = nn.Conv2d(rank, out_features, (1, 1), (1, 1), bias=False)
        self._start(rank, network_alpha)


class _Compatible:
    """A layer with a `lora_layer`, or None."""

    def __init__(self, *args, lora_layer=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.lora_layer = lora_layer

    def set_lora_layer(self, lora_layer):
        self.lora_layer = lora_layer

    def forward(self, hidden_states, scale=1.0):
        out = super().forward(hidden_states)
        if self.lora_layer is None:
            return out
        return out + scale * self.lora_layer(hidden_states)


class LoRACompatibleLinear(_Compatible, nn.Linear):
    pass


class LoRACompatibleConv(_Compatible, nn.Conv2d):
    pass
