"""scipy.fft: sizes alone; tensors are transformed by torch.fft."""

import sys

from normscope_boot.imports import give_placeholders

from ._sizes import next_fast_len  # noqa: F401

give_placeholders(sys.modules[__name__])
