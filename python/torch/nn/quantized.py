"""torch.nn.quantized: operations as modules, as they are before anything is quantized."""

from .. import _call
from .._unsupported import missing as _missing
from . import functional as F
from .modules.linear import Identity
from .modules.module import Module


class FloatFunctional(Module):
    """`add`, `mul`, `cat` and others whose results an observer sees, here an identity."""

    def __init__(self):
        super().__init__()
        self.activation_post_process = Identity()

    def forward(self, x):
        raise RuntimeError(
            "FloatFunctional is not intended to use the 'forward'. "
            "Please use the underlying operation"
        )

    def add(self, x, y):
        return self.activation_post_process(_call.call("add", (x, y), {}))

    def add_scalar(self, x, y):
        return _call.call("add", (x, y), {})

    def mul(self, x, y):
        return self.activation_post_process(_call.call("mul", (x, y), {}))

    def mul_scalar(self, x, y):
        return _call.call("mul", (x, y), {})

    def cat(self, x, dim=0):
        return self.activation_post_process(_call.call("cat", (x,), {"dim": dim}))

    def add_relu(self, x, y):
        return self.activation_post_process(F.relu(_call.call("add", (x, y), {})))

    def matmul(self, x, y):
        return self.activation_post_process(_call.call("matmul", (x, y), {}))


def __getattr__(name):
    raise _missing("torch.nn.quantized", name, globals())
