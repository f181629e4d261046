"""What is recorded of each file of models/: class, arguments, inputs and loss.

A case is what `normscope run FILE:CLASS --set … --input … --loss …` would be asked for.
"""
from dataclasses import dataclass, field
import importlib
from pathlib import Path
import sys

import torch
import torch.nn.functional as F

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "models"))

NEXT_TOKEN = "F.cross_entropy(output[:, :-1].flatten(0, 1), {0}[:, 1:].flatten())"
LABELS = "F.cross_entropy(output, torch.arange(2) % 10)"


@dataclass
class Input:
    name: str
    shape: tuple
    dtype: str = "int64"
    below: int | None = 96

    def make(self):
        if self.below is None:
            return torch.randn(self.shape)
        return torch.randint(0, self.below, self.shape)


@dataclass
class Case:
    """One model file with its inputs. `blocks` are prefixes of the paths of the blocks."""

    file: str
    entry: str
    blocks: tuple
    inputs: list = field(default_factory=lambda: [Input("idx", (2, 12))])
    loss: str = NEXT_TOKEN.format("idx")
    set: dict = field(default_factory=dict)
    name: str = ""

    def __post_init__(self):
        self.name = self.name or self.file
        self.set = {"n_layers": 2, **self.set}

    @property
    def module(self):
        return importlib.import_module(self.file)

    def build(self, arguments=None):
        return getattr(self.module, self.entry)(**(self.set if arguments is None else arguments))

    def loss_of(self, model, output, inputs):
        names = {"F": F, "torch": torch, "model": model, "output": output, **inputs}
        return eval(self.loss, names)

    def is_block(self, path):
        """'model.layers.3' is one of the blocks 'model.layers'."""
        parent, _, last = path.rpartition(".")
        return parent in self.blocks and last.isdigit()


SOURCE_TARGET = [Input("source", (2, 10)), Input("target", (2, 12))]
SPECTROGRAM = [Input("spectrogram", (2, 8, 32), "float32", None), Input("idx", (2, 12))]
IMAGES = [Input("images", (2, 3, 16, 16), "float32", None)]
LAYERS = ("model.layers",)

OWN = [
    *(
        Case("lab", "LabDecoder", ("blocks",), set={"vocab_size": 96, "placement": placement},
             name=f"lab_{placement}")
        for placement in ("post", "pre")
    ),
    *(
        Case("lab", "LabDecoder", ("blocks",), name=f"lab_pre_{init}",
             set={"vocab_size": 96, "placement": "pre", "init": init})
        for init in ("torch", "gpt2")
    ),
    Case("lab", "LabEncoderDecoder", ("encoder", "decoder"), set={"vocab_size": 96, "d_model": 32},
         name="lab_encoder_decoder", inputs=[Input("src", (2, 12)), Input("idx", (2, 12))]),
]

ARCHITECTURES = [
    Case("transformer2017", "Transformer2017", ("encoder", "decoder"), SOURCE_TARGET,
         NEXT_TOKEN.format("target")),
    Case("bert", "BERT", ("bert.encoder.layer",)),
    Case("gpt2", "GPT2", ("transformer.h",)),
    Case("gpt3", "GPT3", ("transformer.h",), set={"band": 4}),
    Case("llama", "Llama", LAYERS, set={"rope_stretch": 8.0}),
    Case("mistral", "Mistral", LAYERS),
    Case("mixtral", "Mixtral", LAYERS),
    Case("deepseek_v2", "DeepSeekV2", LAYERS, set={"rope_stretch": 4.0}),
    Case("deepseek_v3", "DeepSeekV3", LAYERS, set={"rope_stretch": 4.0}),
    Case("gemma1", "Gemma1", LAYERS),
    Case("gemma2", "Gemma2", LAYERS),
    Case("gemma3", "Gemma3", LAYERS, set={"n_layers": 6, "rope_stretch": 8.0}),
    Case("qwen3", "Qwen3", LAYERS),
    Case("olmo2", "OLMo2", LAYERS),
    Case("gpt_oss", "GptOss", LAYERS, set={"rope_stretch": 4.0}),
    Case("t5", "T5", ("encoder.block", "decoder.block"), SOURCE_TARGET,
         NEXT_TOKEN.format("target")),
    Case("vit", "ViT", ("vit.layers",), IMAGES, LABELS),
    Case("whisper", "Whisper", ("model.encoder.layers", "model.decoder.layers"), SPECTROGRAM),
]


def placement(name, norm="LayerNorm"):
    tiny = importlib.import_module("placements").PRESETS["tiny"]
    arguments = {"placement": name, "norm": norm, **tiny}
    suffix = "_rms" if norm == "RMSNorm" else ""
    return Case("placements", "Decoder", ("blocks",), set=arguments,
                name=f"placement_{name}{suffix}")


PLACEMENTS = [
    *(placement(name) for name in importlib.import_module("placements").BLOCKS),
    placement("post", "RMSNorm"),
    placement("pre", "RMSNorm"),
]
