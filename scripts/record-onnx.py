#!/usr/bin/env python3
"""Exports a bundled model with PyTorch's own exporters, and records what it gives.

    python scripts/record-onnx.py

Writes test/fixtures/onnx: the model from torch.export (weights inside and beside) and from
TorchScript (with and without doc strings), and golden.json with the loss and the norms of all
parameters' gradients. Needs PyTorch, onnx and onnxscript.
"""

import json
from pathlib import Path
import sys
import warnings

import onnx
import torch

REPOSITORY = Path(__file__).resolve().parent.parent
TARGET = REPOSITORY / "test" / "fixtures" / "onnx"
LIBRARY = Path(torch.__file__).parent.parent

sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "models"))

from pre_ln import PreLNTransformer  # noqa: E402


def anonymous(text):
    """Without the folders of the machine that recorded it."""
    text = text.replace(str(REPOSITORY), "/repository")
    return text.replace(str(LIBRARY), "/python/site-packages").replace(sys.prefix, "/python")


def clean(name):
    """Says where the model was made, not where the files were."""
    path = TARGET / name
    model = onnx.load(path, load_external_data=False)
    for node in model.graph.node:
        # The outer frames are those of the exporter.
        node.doc_string = anonymous("\n".join(node.doc_string.split("\n")[:6]))
        for entry in node.metadata_props:
            entry.value = anonymous(entry.value)
    path.write_bytes(model.SerializeToString())


def export(model, tokens):
    shared = {"input_names": ["idx"], "output_names": ["logits"]}
    for name, external in (("export_inside", False), ("export_external", True)):
        target = TARGET / f"{name}.onnx"
        torch.onnx.export(model, (tokens,), target, dynamo=True, external_data=external, **shared)
    for name, verbose in (("script_plain", False), ("script_lines", True)):
        target = TARGET / f"{name}.onnx"
        torch.onnx.export(model, (tokens,), target, dynamo=False, verbose=verbose, **shared)
    for path in TARGET.glob("*.onnx"):
        clean(path.name)


def main():
    warnings.simplefilter("ignore")
    TARGET.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    model = PreLNTransformer(vocab_size=32, d_model=16, n_heads=2, n_layers=2, d_ff=32).eval()
    # Exporters merge parameters with the same numbers.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) / 10)
    torch.manual_seed(0)
    tokens = torch.randint(0, 32, (2, 8))
    loss = model(tokens).square().mean()
    loss.backward()
    norms = {name: p.grad.norm().item() for name, p in model.named_parameters()}
    golden = {"torch": torch.__version__, "loss": loss.item(), "gradients": norms}
    (TARGET / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")
    export(model, tokens)


if __name__ == "__main__":
    main()
