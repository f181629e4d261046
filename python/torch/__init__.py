"""PyTorch as the tracer runs it: the same names and meanings, with tensors that live in the host."""

import math as _math
import sys as _sys

from . import _call
from ._dtypes import *  # noqa: F403
from ._dtypes import Size, bool, device, dtype, finfo, float, iinfo, int, long, short  # noqa: A004, F401
from ._factories import (  # noqa: F401
    as_tensor,
    asarray,
    from_numpy,
    get_default_dtype,
    legacy_classes,
    set_default_dtype,
    tensor,
)
from ._grad_mode import (  # noqa: F401
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from ._host import OutOfMemoryError, UnsupportedCall, _LinAlgError  # noqa: F401
from ._unsupported import missing as _missing
from ._table import TABLE as _TABLE
from ._tensor import Tensor  # noqa: F401

__version__ = "2.15.0"
pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan
newaxis = None

globals().update(legacy_classes())
_call.expose(globals(), _TABLE, "torch")

from . import (  # noqa: E402
    _composites,
    _foreach,
    _function_names,
    _more_composites,
    _older_names,
    _outs,
    _special_functions,
    _whole_numbers,
    _written,
)
from ._backward_calls import _log_softmax_backward_data, _softmax_backward_data  # noqa: E402, F401
from ._checks import *  # noqa: E402, F403
from ._functions import *  # noqa: E402, F403
from ._printing import set_printoptions  # noqa: E402, F401
from ._random import (  # noqa: E402, F401
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from . import nn  # noqa: E402, F401
from ._streams import Stream  # noqa: E402, F401
from .compiler import disable as _disable_dynamo  # noqa: E402, F401
from .nn.parameter import Parameter as _Parameter  # noqa: E402, F401
from . import (  # noqa: E402, F401
    _C,
    _dynamo,
    _inductor,
    _VF,
    accelerator,
    amp,
    ao,
    autograd,
    backends,
    compiler,
    cpu,
    cuda,
    distributed,
    distributions,
    fft,
    func,
    functional,
    fx,
    hub,
    jit,
    library,
    linalg,
    mps,
    multiprocessing,
    onnx,
    optim,
    overrides,
    profiler,
    quantization,
    random,
    serialization,
    signal,
    sparse,
    special,
    testing,
    types,
    utils,
    version,
    xpu,
)
from ._ops import ops  # noqa: E402, F401
from .amp.autocast_mode import (  # noqa: E402, F401
    autocast,
    clear_autocast_cache,
    get_autocast_cpu_dtype,
    get_autocast_dtype,
    get_autocast_gpu_dtype,
    is_autocast_cache_enabled,
    is_autocast_cpu_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from .nn._composites.recurrent import (  # noqa: E402, F401
    gru,
    gru_cell,
    lstm,
    lstm_cell,
    rnn_relu,
    rnn_relu_cell,
    rnn_tanh,
    rnn_tanh_cell,
)
from .serialization import load, save  # noqa: E402, F401

# `from torch import torch`
torch = _sys.modules[__name__]

_composites.expose(globals(), Tensor)
_more_composites.expose(globals(), Tensor)
_written.expose(globals(), Tensor)
_foreach.expose(globals())
_older_names.expose(globals(), Tensor)
_special_functions.expose(globals(), Tensor)
_whole_numbers.expose(globals(), Tensor)
_outs.expose(globals())
_function_names.name_functions(globals(), nn.functional.__dict__)


def __getattr__(name):
    raise _missing("torch", name, globals())
