"""Kernels of the Hub in place of a model's own functions: a run takes the model's own."""

import sys

from normscope_boot.imports import give_placeholders


def _as_it_stands(*args, **kwargs):
    return lambda target: target


use_kernel_forward_from_hub = use_kernel_func_from_hub = use_kernelized_func = _as_it_stands
use_kernel_func_from_hub_with_fallback = _as_it_stands


def use_experts_implementation(target=None, **kwargs):
    return _as_it_stands() if target is None else target


give_placeholders(sys.modules[__name__])
