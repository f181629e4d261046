"""torch.sparse: there are no sparse tensors; products of dense ones are what they are elsewhere."""

from ._call import call
from ._unsupported import missing as _missing


def mm(mat1, mat2):
    return call("mm", (mat1, mat2), {})


def addmm(mat, mat1, mat2, *, beta=1.0, alpha=1.0):
    return call("addmm", (mat, mat1, mat2), {"beta": beta, "alpha": alpha})


def __getattr__(name):
    raise _missing("torch.sparse", name, globals())
