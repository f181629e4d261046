"""Questions about values."""

from collections.abc import Iterable, Sequence
from itertools import repeat


def is_str(value):
    return isinstance(value, str)


def is_seq_of(seq, expected_type, seq_type=None):
    kind = Sequence if seq_type is None else seq_type
    return isinstance(seq, kind) and all(isinstance(it, expected_type) for it in seq)


def is_list_of(seq, expected_type):
    return is_seq_of(seq, expected_type, list)


def is_tuple_of(seq, expected_type):
    return is_seq_of(seq, expected_type, tuple)


def _ntuple(n):
    return lambda x: (
        x if isinstance(x, Iterable) and not isinstance(x, str) else tuple(repeat(x, n))
    )


to_1tuple, to_2tuple, to_3tuple, to_4tuple = map(_ntuple, (1, 2, 3, 4))
to_ntuple = _ntuple


def deprecated_api_warning(name_dict, cls_name=None):
    return lambda function: function
