"""torch.onnx: the command line exports; a script cannot."""

from .._unsupported import missing as _missing
from .._unsupported import unsupported


def is_in_onnx_export():
    return False


def export(*args, **kwargs):
    raise unsupported("torch.onnx.export: 'normscope export' writes ONNX files")


def __getattr__(name):
    raise _missing("torch.onnx", name, globals())
