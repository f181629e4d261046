"""Annotations of keywords."""

import sys
from typing import Unpack  # noqa: F401

from normscope_boot.imports import give_placeholders

give_placeholders(sys.modules[__name__])
