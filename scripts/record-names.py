#!/usr/bin/env python3
"""Writes the public names of PyTorch's modules and of numpy to python/torch/_names.json.

    python scripts/record-names.py

The stand-in says of a name that PyTorch has and it has not that it is not supported, and of any other
that there is no such name. Needs PyTorch and numpy; nothing else in the repository does.
"""
import importlib
import json
from pathlib import Path

import torch

TARGET = Path(__file__).resolve().parent.parent / "python" / "torch" / "_names.json"
MODULES = """
torch torch.amp torch.autograd torch.autograd.functional torch.autograd.profiler torch.backends
torch.backends.cuda torch.backends.cudnn torch.compiler torch.cuda torch.cuda.amp torch.cpu
torch.distributed torch.distributions torch.fft torch.func torch.fx torch.hub torch.jit torch.library
torch.linalg torch.mps torch.nn torch.nn.attention torch.nn.attention.flex_attention torch.nn.functional
torch.nn.init torch.nn.modules torch.nn.parallel torch.nn.parameter torch.nn.utils
torch.nn.utils.parametrizations torch.nn.utils.parametrize torch.nn.utils.prune torch.nn.utils.rnn
torch.onnx torch.optim torch.optim.lr_scheduler torch.overrides torch.profiler torch.quantization
torch.random torch.sparse torch.special torch.testing torch.utils torch.utils.checkpoint
torch.utils.data torch.version numpy numpy.linalg numpy.random numpy.fft
""".split()


def names_of(holder) -> str:
    return " ".join(sorted(name for name in dir(holder) if not name.startswith("_")))


def main():
    rows = {name: names_of(importlib.import_module(name)) for name in MODULES}
    rows["torch.Tensor"] = names_of(torch.Tensor)
    rows["torch.nn.Module"] = names_of(torch.nn.Module)
    lines = [f"{json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
