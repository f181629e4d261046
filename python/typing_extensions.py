"""typing_extensions: this Python's typing has all that model files take from it."""

from typing import *  # noqa: F403
from typing import Annotated, Any, Protocol  # noqa: F401
from warnings import deprecated  # noqa: F401

runtime = runtime_checkable  # noqa: F405


def __getattr__(name):
    import typing

    return getattr(typing, name)
