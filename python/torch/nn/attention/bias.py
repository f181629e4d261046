"""torch.nn.attention.bias: causal masks as tensors."""

import enum

from ..._call import call
from ..._dtypes import bool as torch_bool


class CausalVariant(enum.IntEnum):
    UPPER_LEFT = 1
    LOWER_RIGHT = 2


def _lower_triangle(rows, columns, diagonal):
    ones = call("ones", ((rows, columns),), {"dtype": torch_bool})
    return call("tril", (ones,), {"diagonal": diagonal})


def causal_upper_left(*size):
    rows, columns = size
    return _lower_triangle(rows, columns, 0)


def causal_lower_right(*size):
    rows, columns = size
    return _lower_triangle(rows, columns, columns - rows)
