"""Names for annotations: there is no FlashAttention in a run."""

import sys
from typing import TypedDict

from normscope_boot.imports import give_placeholders


class FlashAttentionKwargs(TypedDict, total=False):
    pass


def is_flash_attn_available(*args, **kwargs):
    return False


give_placeholders(sys.modules[__name__])
