"""Names of files and folders; the folders are empty in a run."""

import os
import sys

from normscope_boot.imports import give_placeholders

HF_HOME = os.path.expanduser("~/.cache/huggingface")
HF_HUB_CACHE = HUGGINGFACE_HUB_CACHE = os.path.join(HF_HOME, "hub")
HF_ASSETS_CACHE = os.path.join(HF_HOME, "assets")
HF_TOKEN_PATH = os.path.join(HF_HOME, "token")
ENDPOINT = HUGGINGFACE_CO_URL_HOME = "https://huggingface.co"
CONFIG_NAME = "config.json"
REPOCARD_NAME = "README.md"
PYTORCH_WEIGHTS_NAME = "pytorch_model.bin"
SAFETENSORS_SINGLE_FILE = "model.safetensors"
SAFETENSORS_INDEX_FILE = "model.safetensors.index.json"
HF_HUB_OFFLINE = HF_HUB_DISABLE_TELEMETRY = HF_HUB_DISABLE_PROGRESS_BARS = True

give_placeholders(sys.modules[__name__])
