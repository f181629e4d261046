#!/usr/bin/env python3
"""Checks models/ against other implementations, and records what real PyTorch gives for each file.

    python scripts/record-models.py [--only NAME]

1. The same random checkpoint, as a safetensors file, in a file of models/ and in Hugging Face
   transformers (nn.Transformer for the original): logits, loss, the output of each block and the
   gradient of each parameter must agree within 1e-4.
2. test/golden/models/NAME.json: loss, RMS per block and norm of the gradient per parameter of the
   file as it initialises itself, for `npm test`.
3. test/golden/modelParity.json: the largest differences of 1, for docs/models.md.
4. test/golden/modelCounts.json: the parameters of each preset, counted without memory, equal to
   those of the other implementation.
Needs PyTorch, transformers and safetensors.
"""
import argparse
import json
import logging
import os
from pathlib import Path
import random
import sys

REPOSITORY = Path(__file__).resolve().parent.parent
GOLDEN = REPOSITORY / "test" / "golden"
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts"))
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
logging.disable(logging.WARNING)

import torch  # noqa: E402
import transformers  # noqa: E402

from models.cases import ARCHITECTURES, OWN, PLACEMENTS  # noqa: E402
from models.compare import compare  # noqa: E402
from models.references import reference  # noqa: E402

TOLERANCE = 1e-4


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only cases with this text in their name")
    only = parser.parse_args().only
    torch.set_num_threads(1)
    agreed = {case.name: agree(case) for case in ARCHITECTURES if only in case.name}
    for case in [*ARCHITECTURES, *OWN, *PLACEMENTS]:
        if only in case.name:
            record(case)
    if not only:
        versions = {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__}
        write(GOLDEN / "modelParity.json", {**versions, "largestDifferences": agreed})
        count()


def agree(case):
    found = compare(case)
    if found is None:
        print(f"{case.name}: no reference")
        return None
    print(f"{case.name}: " + ", ".join(f"{name} {value:.1e}" for name, value in found.items()))
    if not max(found.values()) <= TOLERANCE:
        sys.exit(f"{case.name} and its reference differ")
    return {name: float(f"{value:.1e}") for name, value in found.items()}


def record(case):
    """In the order in which Normscope runs a class: seed, build, inputs, forward, loss."""
    random.seed(0)
    torch.manual_seed(0)
    model = case.build().eval()
    inputs = {it.name: it.make() for it in case.inputs}
    blocks = {}

    def keep(path):
        def hook(module, args, output):
            first = output[0] if isinstance(output, tuple) else output
            blocks[path] = first.detach().double().pow(2).mean().sqrt().item()
        return hook

    for path, module in model.named_modules():
        if case.is_block(path):
            module.register_forward_hook(keep(path))
    loss = case.loss_of(model, model(**inputs), inputs)
    loss.backward()
    gradients = {
        name: None if p.grad is None else p.grad.double().norm().item()
        for name, p in model.named_parameters()
    }
    entries = {
        "file": f"{case.file}.py", "entry": case.entry,
        "set": {name: repr(value) for name, value in case.set.items()},
        "inputs": [vars(it) for it in case.inputs], "lossExpression": case.loss,
        "loss": loss.item(), "blocks": rounded(blocks), "gradients": rounded(gradients),
    }
    write(GOLDEN / "models" / f"{case.name}.json", entries)


def rounded(numbers):
    return {name: None if x is None else float(f"{x:.7g}") for name, x in numbers.items()}


def count():
    rows = {}
    for case in ARCHITECTURES:
        for preset, arguments in case.module.PRESETS.items():
            with torch.device("meta"):
                n = parameters(case.build(arguments))
                theirs = None if case.file == "transformer2017" else reference(case, arguments)
            if theirs is not None and parameters(theirs) != n:
                sys.exit(f"{case.file} {preset}: {n}, the reference has {parameters(theirs)}")
            rows[f"{case.file} {preset}"] = n
    write(GOLDEN / "modelCounts.json", rows)


def parameters(model):
    return sum(p.numel() for p in model.parameters())


def write(target, entries):
    target.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}"
        for key, value in entries.items()
    ]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
