"""Parts of models."""

from collections import OrderedDict

from torch import nn


class IntermediateLayerGetter(nn.ModuleDict):
    """The children of `model` up to the last one asked for, in their order.

    `return_layers` maps names of children to the names that their outputs have in the result.
    """

    def __init__(self, model, return_layers):
        children = dict(model.named_children())
        if not set(return_layers) <= set(children):
            raise ValueError("return_layers are not present in model")
        names = list(children)
        last = max((names.index(it) for it in return_layers), default=len(names) - 1)
        super().__init__({it: children[it] for it in names[: last + 1]})
        self.return_layers = dict(return_layers)

    def forward(self, x):
        out = OrderedDict()
        for name, module in self.items():
            x = module(x)
            if name in self.return_layers:
                out[self.return_layers[name]] = x
        return out
