#!/usr/bin/env python3
"""Compares exported files with PyTorch: the same model, the same seed, the same inputs.

    python scripts/check-export.py [--only NAME]

Exports the files of models/ with `normscope export`, checks each file with onnx.checker, runs it in
Python's onnxruntime and the model in PyTorch, and fails where an output differs by more than 1e-4
of the largest. test/golden/modelExports.json keeps the differences for docs/models.md.
Needs torch, onnx, onnxruntime, and a built checkout.
"""
import argparse
import dataclasses
import json
from pathlib import Path
import subprocess
import sys
import tempfile

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts"))

import numpy  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
import torch  # noqa: E402

from models.cases import ARCHITECTURES, Case  # noqa: E402

TOLERANCE = 1e-4
BUNDLED = [
    Case(file, entry, (), set={"n_layers": 4, "norm": norm}, name=f"{file}_{norm}")
    for file, entry in (("pre_ln", "PreLNTransformer"), ("post_ln", "PostLNTransformer"))
    for norm in ("LayerNorm", "RMSNorm")
]
# An image and a spectrogram have the size that the model is made for.
OF_ONE_SIZE = ("vit", "whisper")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only cases with this text in their name")
    only = parser.parse_args().only
    rows = {}
    for case in [*BUNDLED, *ARCHITECTURES]:
        if only in case.name:
            rows[case.name] = differences(case)
            print(f"{case.name}: {rows[case.name]}", flush=True)
    if not only:
        target = REPOSITORY / "test" / "golden" / "modelExports.json"
        lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
        target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def differences(case):
    """By form of the file, of the outputs; None where the form is not for this model."""
    # Inputs that the trial runs made equally long share one free size.
    longer = [dataclasses.replace(it, shape=(3, 17)) for it in case.inputs]
    found = {
        "fixed": difference(case, ["--storage", "external", *inputs_of(case)], case.inputs),
        "dynamic": None,
    }
    if case.file not in OF_ONE_SIZE:
        found["dynamic"] = difference(case, ["--dynamic"], longer)
    return found


def inputs_of(case):
    specs = []
    for it in case.inputs:
        below = "" if it.below is None else f"<{it.below}"
        specs += ["--input", f"{it.name}={it.dtype}[{','.join(map(str, it.shape))}]{below}"]
    return specs


def difference(case, options, inputs):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        settings = [text for item in case.set.items() for text in ("--set", "{}={!r}".format(*item))]
        command = ["node", "bin/normscope.mjs", "export", f"models/{case.file}.py:{case.entry}"]
        subprocess.run(
            [*command, "--output", str(path), *settings, *options],
            cwd=REPOSITORY, check=True, capture_output=True,
        )
        onnx.checker.check_model(str(path), full_check=True)
        torch.manual_seed(0)
        model = case.build().eval()
        given = {it.name: it.make() for it in inputs}
        with torch.no_grad():
            wanted = model(**given).numpy()
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        fed = {name: tensor.numpy() for name, tensor in given.items()}
        (found,) = session.run(None, fed)
    largest = float(numpy.abs(found - wanted).max() / numpy.abs(wanted).max())
    if not largest <= TOLERANCE:
        sys.exit(f"{case.name} {' '.join(options)}: {largest:.1e}")
    return float(f"{largest:.1e}")


if __name__ == "__main__":
    main()
