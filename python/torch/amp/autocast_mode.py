"""torch.autocast: the host casts the arguments of the calls that it concerns."""

import functools
import warnings

from .. import _dtypes
from .._host import host
from .._tensor import Tensor

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

_defaults = {"cpu": _dtypes.bfloat16, "cuda": _dtypes.float16}
_state = {"enabled": False, "dtype": _dtypes.bfloat16, "cache": True, "nesting": 0}


def is_autocast_available(device_type):
    return device_type == "cpu"


def _set(enabled, dtype):
    _state.update(enabled=enabled, dtype=dtype)
    host.set_autocast(dtype.name if enabled else "")


class autocast:
    """On the CPU, matrix products and convolutions in bfloat16 or float16, losses in float32."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = device_type
        self.fast_dtype = dtype or _defaults.get(device_type, _dtypes.bfloat16)
        self._enabled = enabled
        if device_type != "cpu":
            if enabled:
                name = {"cuda": "CUDA"}.get(device_type, device_type)
                warnings.warn(f"{name} is not available. Disabling autocast.", stacklevel=2)
            self._enabled = False
        elif enabled and self.fast_dtype not in (_dtypes.bfloat16, _dtypes.float16):
            warnings.warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtype of torch.bfloat16, torch.float16 currently.",
                stacklevel=2,
            )
            self._enabled = False

    def __enter__(self):
        self._before = (_state["enabled"], _state["dtype"])
        _state["nesting"] += 1
        if self.device == "cpu":
            _set(self._enabled, self.fast_dtype)
        return self

    def __exit__(self, *exc):
        if self.device == "cpu":
            _set(*self._before)
        _state["nesting"] -= 1
        # What was cast for one region serves those within it.
        if _state["nesting"] == 0:
            clear_autocast_cache()
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with autocast(self.device, self.fast_dtype, self._enabled):
                return function(*args, **kwargs)

        return wrapper


def custom_fwd(fwd=None, *, device_type="cuda", cast_inputs=None):
    """Of an own function's forward; with `cast_inputs` it gets that type and runs outside autocast."""
    _check_device(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx, *args, **kwargs):
        is_enabled = is_autocast_enabled(device_type)
        ctx._dtype = get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = is_enabled and cast_inputs is None
        if not is_enabled or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(ctx, *_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return forward


def custom_bwd(bwd=None, *, device_type="cuda"):
    """Of an own function's backward, which runs under the autocast that forward ran under."""
    _check_device(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(ctx, *args, **kwargs):
        with autocast(device_type, ctx._dtype, ctx._fwd_used_autocast):
            return bwd(ctx, *args, **kwargs)

    return backward


def _check_device(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def _cast(value, dtype):
    """The single-precision and half tensors of a value in this type; those of double stay."""
    if isinstance(value, Tensor):
        is_cast = value.is_floating_point() and value.dtype is not _dtypes.float64
        return value.to(dtype) if is_cast else value
    if isinstance(value, dict):
        return {key: _cast(one, dtype) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(one, dtype) for one in value)
    return value


# What torch itself offers of it.


def is_autocast_enabled(device_type="cuda"):
    return device_type == "cpu" and _state["enabled"]


def is_autocast_cpu_enabled():
    return _state["enabled"]


def get_autocast_dtype(device_type):
    return _state["dtype"] if device_type == "cpu" else _defaults.get(device_type, _dtypes.bfloat16)


def get_autocast_gpu_dtype():
    return _dtypes.float16


def get_autocast_cpu_dtype():
    return _state["dtype"]


def set_autocast_enabled(device_type, enabled=None):
    if device_type == "cpu":
        _set(enabled, _state["dtype"])


def set_autocast_dtype(device_type, dtype):
    if device_type == "cpu":
        _set(_state["enabled"], dtype)


def is_autocast_cache_enabled():
    return _state["cache"]


def set_autocast_cache_enabled(enabled):
    _state["cache"] = enabled


def clear_autocast_cache():
    host.clear_autocast_cache()
