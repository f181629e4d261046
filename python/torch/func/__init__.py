"""torch.func: calling a module with other parameters, and derivatives of functions."""

from .._composites import vmap  # noqa: F401
from .._unsupported import missing as _missing
from ._functional_call import functional_call, stack_module_state  # noqa: F401
from ._norms import replace_all_batch_norm_modules_  # noqa: F401
from ._transforms import (  # noqa: F401
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    vjp,
)


def __getattr__(name):
    raise _missing("torch.func", name, globals())
