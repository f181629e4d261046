"""What files name of process groups."""

import enum


class ProcessGroup:
    """No group is of this class."""


class ReduceOp(enum.Enum):
    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8


class group:
    WORLD = None
    NON_GROUP_MEMBER = object()
