"""What is there to import."""

import sys

from normscope_boot.imports import give_placeholders

from . import (  # noqa: F401
    is_accelerate_available,
    is_causal_conv1d_available,
    is_flash_attn_2_available,
    is_flash_attn_greater_or_equal,
    is_flash_attn_greater_or_equal_2_10,
    is_mamba_2_ssm_available,
    is_mamba_ssm_available,
    is_peft_available,
    is_torch_available,
    is_torch_flex_attn_available,
    is_torch_fx_available,
    is_torchdynamo_compiling,
    is_torchdynamo_exporting,
    is_torchvision_available,
    torch_compilable_check,
)

give_placeholders(sys.modules[__name__])
