"""The names of `typing`."""

from typing import *  # noqa: F403
from typing import Any, Callable, Dict, Iterable, List, Literal, Optional, Tuple, Type, Union  # noqa: F401
