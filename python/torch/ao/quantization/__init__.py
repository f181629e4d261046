"""torch.ao.quantization: what torch.quantization has."""

from ...quantization import DeQuantStub, QuantStub, QuantWrapper, __getattr__  # noqa: F401

__all__ = ["DeQuantStub", "QuantStub", "QuantWrapper"]
