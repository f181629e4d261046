"""What is there to import, and whether a version is as asked."""

import operator

import torch
from packaging import version

_ABSENT = """accelerate bitsandbytes flash_attn flash_attn_3 flashinfer gguf hpu invisible_watermark kernels
kornia librosa nvidia_modelopt onnx opencv optimum_quanto peft sageattention tensorboard torch_mlu
torch_neuronx torch_npu torch_tpu torch_xla torchao torchsde wandb xformers""".split()
_PRESENT = "safetensors scipy timm torch torchvision transformers".split()
_RELATIONS = {
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
}


def _answer(value):
    return lambda *args, **kwargs: value


for _name in _ABSENT:
    globals()[f"is_{_name}_available"] = globals()[f"is_{_name}_version"] = _answer(False)
for _name in _PRESENT:
    globals()[f"is_{_name}_available"] = _answer(True)


def compare_versions(library_or_version, operation, requirement_version):
    found = library_or_version
    if isinstance(found, str):
        found = version.parse(__import__(found).__version__)
    return _RELATIONS[operation](found, version.parse(requirement_version))


def is_torch_version(operation, version_):
    return compare_versions(version.parse(torch.__version__.partition("+")[0]), operation, version_)


def is_transformers_version(operation, version_):
    return compare_versions("transformers", operation, version_)
