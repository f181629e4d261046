"""torch.backends.cuda."""

import contextlib


class _MatmulSettings:
    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    fp32_precision = "none"


matmul = _MatmulSettings()
_kernels = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def is_built():
    return False


def _asks(kernel):
    return lambda: _kernels[kernel]


def _switches(kernel):
    def switch(enabled):
        _kernels[kernel] = enabled

    return switch


flash_sdp_enabled, enable_flash_sdp = _asks("flash"), _switches("flash")
mem_efficient_sdp_enabled, enable_mem_efficient_sdp = (
    _asks("mem_efficient"),
    _switches("mem_efficient"),
)
math_sdp_enabled, enable_math_sdp = _asks("math"), _switches("math")
cudnn_sdp_enabled, enable_cudnn_sdp = _asks("cudnn"), _switches("cudnn")


@contextlib.contextmanager
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    before = dict(_kernels)
    _kernels.update(
        flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn
    )
    try:
        yield {}
    finally:
        _kernels.update(before)


def preferred_linalg_library(backend=None):
    return "default"
