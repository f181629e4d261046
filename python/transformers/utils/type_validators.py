"""Fields of configs that are checked: a run takes what they say."""

import dataclasses
import sys

from normscope_boot.imports import give_placeholders


def _field(**options):
    return dataclasses.field(**options)


def _checked(*args, **kwargs):
    return _field


interval = is_divisible_by = tensor_shape = _checked
probability = activation_fn_key = _field

give_placeholders(sys.modules[__name__])
