"""torch.quantization: there are no quantized tensors, and what marks their places passes everything on."""

from ._unsupported import missing as _missing
from .nn.modules.module import Module

__all__ = ["DeQuantStub", "QuantStub", "QuantWrapper"]


class QuantStub(Module):
    """Where a converted model would begin to compute with whole numbers."""

    def __init__(self, qconfig=None):
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x):
        return x


class DeQuantStub(QuantStub):
    """Where it would end to."""


class QuantWrapper(Module):
    """A module between the two."""

    def __init__(self, module):
        super().__init__()
        self.add_module("quant", QuantStub())
        self.add_module("dequant", DeQuantStub())
        self.add_module("module", module)
        self.train(module.training)

    def forward(self, X):  # noqa: N803
        return self.dequant(self.module(self.quant(X)))


def __getattr__(name):
    raise _missing("torch.quantization", name, globals())
