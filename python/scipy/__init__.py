"""What model files compute with scipy beside their tensors: sizes of transforms, a few functions of arrays."""

import sys

from normscope_boot.imports import give_placeholders

from . import fft, fftpack, special, stats  # noqa: F401

__version__ = "1.19.0"

give_placeholders(sys.modules[__name__])
