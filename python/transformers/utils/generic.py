"""What models return, and how their forwards are called.

ModelOutput: a dataclass that is a tuple and a dict of those of its fields that are not None.
"""

import contextlib
import functools
import sys
from collections import OrderedDict
from dataclasses import fields, is_dataclass
from typing import TypedDict

import torch
from normscope_boot.imports import give_placeholders


class ModelOutput(OrderedDict):
    def __post_init__(self):
        first, *others = [field.name for field in fields(self)]
        given = self.__dict__.get(first)
        if isinstance(given, dict) and all(self.__dict__.get(name) is None for name in others):
            setattr(self, first, None)
            super().__delitem__(first) if first in self else None
            for name, value in given.items():
                setattr(self, name, value)
            return
        for name in (first, *others):
            value = self.__dict__.get(name)
            if value is not None:
                super().__setitem__(name, value)

    def __delitem__(self, *args, **kwargs):
        raise Exception(f"You cannot use ``__delitem__`` on a {type(self).__name__} instance.")

    def setdefault(self, *args, **kwargs):
        raise Exception(f"You cannot use ``setdefault`` on a {type(self).__name__} instance.")

    def pop(self, *args, **kwargs):
        raise Exception(f"You cannot use ``pop`` on a {type(self).__name__} instance.")

    def update(self, *args, **kwargs):
        raise Exception(f"You cannot use ``update`` on a {type(self).__name__} instance.")

    def __getitem__(self, k):
        return dict(self.items())[k] if isinstance(k, str) else self.to_tuple()[k]

    def __setattr__(self, name, value):
        if (
            value is not None
            and is_dataclass(self)
            and name in {field.name for field in fields(self)}
        ):
            super().__setitem__(name, value)
        super().__setattr__(name, value)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def to_tuple(self):
        return tuple(self[key] for key in self)


class TransformersKwargs(TypedDict, total=False):
    output_hidden_states: bool | None
    output_attentions: bool | None


def can_return_tuple(forward):
    """A tuple for `return_dict=False`."""

    @functools.wraps(forward)
    def wrapped(self, *args, **kwargs):
        return_dict = kwargs.pop("return_dict", None)
        if return_dict is None:
            return_dict = getattr(self.config, "return_dict", True)
        output = forward(self, *args, **kwargs)
        return output if return_dict or isinstance(output, tuple) else output.to_tuple()

    return wrapped


_OF_CONFIGS = ("use_cache", "vision_feature_layer", "vision_feature_select_strategy")


def merge_with_config_defaults(forward):
    """Arguments that nobody gave are as the config says."""
    names = forward.__code__.co_varnames[1:]

    @functools.wraps(forward)
    def wrapped(self, *args, **kwargs):
        given = {*names[: len(args)], *(name for name, it in kwargs.items() if it is not None)}
        told = {it: getattr(self.config, it, None) for it in _OF_CONFIGS if it not in given}
        kwargs |= {name: it for name, it in told.items() if it is not None}
        is_causal = kwargs.get("is_causal", getattr(self.config, "is_causal", None))
        if is_causal is not None:
            kwargs["is_causal"] = is_causal
        return forward(self, *args, **kwargs)

    return wrapped


def check_model_inputs(forward=None, **options):
    from .output_capturing import capture_outputs

    if forward is None:
        return check_model_inputs
    return merge_with_config_defaults(capture_outputs(forward))


def maybe_autocast(device_type, dtype=None, enabled=True, cache_enabled=None):
    if torch.is_autocast_enabled(device_type) or enabled:
        return torch.autocast(device_type, dtype, enabled, cache_enabled)
    return contextlib.nullcontext()


def is_flash_attention_requested(*args, **kwargs):
    return False


give_placeholders(sys.modules[__name__])
