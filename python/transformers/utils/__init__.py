"""Helpers that model files import."""

from . import logging  # noqa: F401
from .generic import (  # noqa: F401
    ModelOutput,
    TransformersKwargs,
    can_return_tuple,
    check_model_inputs,
)


def _decorator(*args, **kwargs):
    return lambda target: target


add_start_docstrings = add_start_docstrings_to_model_forward = add_code_sample_docstrings = (
    _decorator
)
replace_return_docstrings = add_end_docstrings = _decorator


def auto_docstring(target=None, **kwargs):
    return _decorator() if target is None else target


def torch_int(x):
    return int(x)


def torch_compilable_check(cond, msg, error_type=ValueError):
    if not bool(cond.all() if hasattr(cond, "all") else cond):
        raise error_type(msg() if callable(msg) else msg)


def is_torch_available():
    return True


def _absent(*args, **kwargs):
    return False


is_flash_attn_2_available = is_flash_attn_greater_or_equal_2_10 = is_flash_attn_greater_or_equal = (
    _absent
)
is_torchvision_available = is_accelerate_available = is_tf_available = is_flax_available = _absent
is_bitsandbytes_available = is_peft_available = is_torch_flex_attn_available = (
    is_causal_conv1d_available
) = _absent
is_torchdynamo_compiling = is_torchdynamo_exporting = is_tracing = is_kernels_available = _absent
is_mamba_ssm_available = is_mamba_2_ssm_available = is_sentencepiece_available = (
    is_torch_fx_available
) = _absent


def __getattr__(name):
    """Whether another package is there is asked of each in a function of its own: it is not."""
    if name.startswith("is_") and name.endswith("_available"):
        return _absent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
