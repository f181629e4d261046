"""Random tensors, and helpers for compilers and devices that a run does not use."""

import functools

import torch


def maybe_allow_in_graph(cls):
    return cls


def randn_tensor(shape, generator=None, device=None, dtype=None, layout=None):
    """Normal numbers; with several generators, row i is drawn by the i-th."""
    if isinstance(generator, list) and len(generator) > 1:
        rows = [
            torch.randn((1, *shape[1:]), generator=it, dtype=dtype) for it in generator[: shape[0]]
        ]
        return torch.cat(rows, dim=0).to(device)
    if isinstance(generator, list):
        generator = generator[0]
    return torch.randn(shape, generator=generator, device=device, dtype=dtype)


def is_compiled_module(module):
    return False


def unwrap_module(module):
    return module


def maybe_adjust_dtype_for_device(dtype, device):
    return dtype


def lru_cache_unless_export(maxsize=128, typed=False):
    return functools.lru_cache(maxsize=maxsize, typed=typed)
