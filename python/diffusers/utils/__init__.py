"""Outputs, loggers, and what is there to import."""

from . import logging  # noqa: F401
from .deprecation_utils import deprecate  # noqa: F401
from .import_utils import *  # noqa: F403
from .logging import get_logger  # noqa: F401
from .outputs import BaseOutput  # noqa: F401
from .peft_utils import apply_lora_scale, scale_lora_layers, unscale_lora_layers  # noqa: F401

USE_PEFT_BACKEND = False
CONFIG_NAME = "config.json"
WEIGHTS_NAME, WEIGHTS_INDEX_NAME = (
    "diffusion_pytorch_model.bin",
    "diffusion_pytorch_model.bin.index.json",
)
SAFETENSORS_WEIGHTS_NAME = "diffusion_pytorch_model.safetensors"
SAFE_WEIGHTS_INDEX_NAME = "diffusion_pytorch_model.safetensors.index.json"


def check_min_version(min_version):
    """Which version a script for training asks for does not matter to a model."""


def replace_example_docstring(example_docstring):
    return lambda function: function
