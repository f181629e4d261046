#!/usr/bin/env python3
"""Records the defaults of configs of transformers that model files derive from or make.

    python scripts/record-configs.py

Writes python/transformers/_configs.json. Needs transformers; nothing else in the repository does.
"""
import json
from pathlib import Path

import transformers

NAMES = (
    "AlbertConfig", "BartConfig", "BertConfig", "BloomConfig", "CLIPTextConfig", "CLIPVisionConfig",
    "DebertaV2Config", "DeiTConfig", "DistilBertConfig", "ElectraConfig", "GPT2Config", "GPTNeoXConfig",
    "GemmaConfig", "LlamaConfig", "MBartConfig", "MistralConfig", "MixtralConfig", "OPTConfig",
    "PhiConfig", "Qwen2Config", "RobertaConfig", "SwinConfig", "T5Config", "ViTConfig",
    "Wav2Vec2Config", "WhisperConfig", "XLMRobertaConfig",
)
OUT = Path(__file__).resolve().parent.parent / "python" / "transformers" / "_configs.json"


def is_plain(value):
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    return value is None or isinstance(value, (bool, int, float, str))


def defaults(cls):
    base = vars(transformers.PretrainedConfig())
    return {
        name: value
        for name, value in vars(cls()).items()
        if not name.startswith("_") and is_plain(value) and (name not in base or base[name] != value)
    }


def main():
    rows = {}
    for name in NAMES:
        cls = getattr(transformers, name)
        rows[name] = {
            "model_type": cls.model_type,
            "attribute_map": cls.attribute_map,
            "defaults": defaults(cls),
        }
    OUT.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(rows)} configs")


main()
