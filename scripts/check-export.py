#!/usr/bin/env python3
"""Compares exported files with PyTorch: the same model, the same seed, the same inputs.

    python scripts/check-export.py

Exports the bundled models with `normscope export`, checks each file with onnx.checker, runs it in
Python's onnxruntime and the model in PyTorch, and prints the largest difference of the outputs.
Needs torch, onnx, onnxruntime, and a built checkout.
"""
import importlib.util
from pathlib import Path
import subprocess
import tempfile

import numpy
import onnx
import onnxruntime
import torch

REPOSITORY = Path(__file__).resolve().parent.parent
MODELS = [("pre_ln", "PreLNTransformer"), ("post_ln", "PostLNTransformer")]
FORMS = {"fixed": [], "dynamic": ["--dynamic"], "external": ["--weights", "external"]}


def main():
    with tempfile.TemporaryDirectory() as folder:
        for stem, name in MODELS:
            for norm in ("LayerNorm", "RMSNorm"):
                for form, options in FORMS.items():
                    path = Path(folder) / f"{stem}-{norm}-{form}.onnx"
                    export(stem, name, norm, path, options)
                    onnx.checker.check_model(str(path), full_check=True)
                    sizes = [(4, 64), (2, 17)] if form == "dynamic" else [(4, 64)]
                    for size in sizes:
                        print(f"{path.stem} {size}: {difference(stem, name, norm, path, size):.1e}")


def export(stem, name, norm, path, options):
    command = ["node", "bin/normscope.mjs", "export", f"models/{stem}.py:{name}", "--output", str(path)]
    arguments = ["--set", "n_layers=4", "--set", f"norm='{norm}'"]
    subprocess.run([*command, *arguments, *options], cwd=REPOSITORY, check=True, capture_output=True)


def difference(stem, name, norm, path, size):
    spec = importlib.util.spec_from_file_location(stem, REPOSITORY / "models" / f"{stem}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.manual_seed(0)
    model = getattr(module, name)(n_layers=4, norm=norm).eval()
    tokens = numpy.random.default_rng(0).integers(0, 256, size)
    with torch.no_grad():
        wanted = model(torch.from_numpy(tokens)).numpy()
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {session.get_inputs()[0].name: tokens})
    return float(numpy.abs(found - wanted).max() / numpy.abs(wanted).max())


if __name__ == "__main__":
    main()
