"""torch.quantization: there are no quantized tensors."""

from ._unsupported import missing as _missing


def __getattr__(name):
    raise _missing("torch.quantization", name, globals())
