#!/usr/bin/env python3
"""Loads transformers' checkpoints with `normscope run --weights` and compares the losses.

    python scripts/check-checkpoints.py [--only NAME]

For each file of models/ with a reference: a tiny random model of transformers, saved as safetensors
under its own names, must give in Normscope the loss that it gives in transformers, within 1e-4.
Needs PyTorch, transformers, safetensors, and a built checkout.
"""
import argparse
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts"))
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

from safetensors.torch import save_file  # noqa: E402
import torch  # noqa: E402

from models.cases import ARCHITECTURES  # noqa: E402
from models.compare import call, randomise, renamed  # noqa: E402
from models.references import reference  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only cases with this text in their name")
    only = parser.parse_args().only
    for case in ARCHITECTURES:
        if only in case.name:
            check(case)


def check(case):
    torch.manual_seed(0)
    theirs = reference(case, case.set)
    randomise(theirs)
    state = renamed(case, theirs.state_dict())
    # Normscope draws the inputs after it has made the model, with the same seed.
    torch.manual_seed(0)
    case.build()
    inputs = {it.name: it.make() for it in case.inputs}
    wanted = case.loss_of(theirs, call(case.file, theirs, inputs), inputs).item()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.safetensors"
        save_file({name: t.clone().contiguous() for name, t in state.items()}, str(file))
        report = run(case, file)
    print(f"{case.name}: {report['loss']:.6f}, transformers {wanted:.6f}", flush=True)
    if not abs(report["loss"] - wanted) <= 1e-4 * abs(wanted):
        sys.exit(f"{case.name} and its reference differ")
    if report["source"]["weights"]["missing"]:
        sys.exit(f"{case.name} misses {report['source']['weights']['missing']}")


def run(case, file):
    command = ["node", "bin/normscope.mjs", "run", f"models/{case.file}.py:{case.entry}"]
    # A second name of a shared matrix has no place in the file.
    options = ["--weights", str(file), "--no-strict", "--loss", case.loss, "--json", "-"]
    for name, value in case.set.items():
        options += ["--set", f"{name}={value!r}"]
    for it in case.inputs:
        below = "" if it.below is None else f"<{it.below}"
        options += ["--input", f"{it.name}={it.dtype}[{','.join(map(str, it.shape))}]{below}"]
    done = subprocess.run(
        [*command, *options], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
