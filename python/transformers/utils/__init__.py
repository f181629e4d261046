"""Helpers that model files import."""

from . import logging  # noqa: F401
from .generic import ModelOutput  # noqa: F401


def _decorator(*args, **kwargs):
    return lambda target: target


add_start_docstrings = add_start_docstrings_to_model_forward = add_code_sample_docstrings = (
    _decorator
)
replace_return_docstrings = add_end_docstrings = _decorator


def auto_docstring(target=None, **kwargs):
    return _decorator() if target is None else target


def can_return_tuple(forward):
    """A tuple for `return_dict=False`."""
    import functools

    @functools.wraps(forward)
    def wrapped(self, *args, **kwargs):
        return_dict = kwargs.pop("return_dict", None)
        if return_dict is None:
            return_dict = getattr(self.config, "return_dict", True)
        output = forward(self, *args, **kwargs)
        return output if return_dict or isinstance(output, tuple) else output.to_tuple()

    return wrapped


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
is_mamba_ssm_available = is_mamba_2_ssm_available = is_sentencepiece_available = (
    is_torch_fx_available
) = _absent
