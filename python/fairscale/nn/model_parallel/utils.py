"""Sizes of the parts of a tensor."""

import torch


def ensure_divisibility(numerator, denominator):
    assert numerator % denominator == 0, f"{numerator} is not divisible by {denominator}"


def divide_and_check_no_remainder(numerator, denominator):
    ensure_divisibility(numerator, denominator)
    return numerator // denominator


def split_tensor_along_last_dim(tensor, num_partitions, contiguous_split_chunks=False):
    size = divide_and_check_no_remainder(tensor.size(-1), num_partitions)
    parts = torch.split(tensor, size, dim=-1)
    return tuple(part.contiguous() for part in parts) if contiguous_split_chunks else parts
