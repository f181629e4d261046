#!/usr/bin/env python3
"""Records in real PyTorch the statistics by axis of test/fixtures/slices.py.

    python scripts/record-slices.py

Writes test/golden/slices.json: of softmax and of the module `out`, for the value and its gradient,
RMS, mean, std and largest magnitude of the slices across each axis. Needs PyTorch.
"""
import json
from pathlib import Path
import sys

import torch
import torch.nn.functional as F

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "test" / "fixtures"))

import slices  # noqa: E402


def main():
    kept = {}

    def keep(name, value):
        value.retain_grad()
        kept[name] = value
        return value

    softmax = F.softmax
    F.softmax = lambda *args, **kwargs: keep("softmax", softmax(*args, **kwargs))
    model = slices.build()
    model.out.register_forward_hook(lambda module, given, value: keep("linear", value))
    slices.step(model).backward()
    golden = {
        name: {"activation": by_axis(value.detach()), "gradient": by_axis(value.grad)}
        for name, value in kept.items()
    }
    target = REPOSITORY / "test" / "golden" / "slices.json"
    target.write_text(json.dumps(golden, indent=1) + "\n")


def by_axis(value):
    return [of_axis(value.double(), axis) for axis in range(value.dim())]


def of_axis(value, axis):
    others = [other for other in range(value.dim()) if other != axis]
    return {
        "rms": value.square().mean(others).sqrt().tolist(),
        "mean": value.mean(others).tolist(),
        "std": value.var(others, correction=0).sqrt().tolist(),
        "absMax": value.abs().amax(others).tolist(),
    }


if __name__ == "__main__":
    main()
