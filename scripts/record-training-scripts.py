#!/usr/bin/env python3
"""Records 50 steps of training in real PyTorch of each script in test/training/scripts.

    python scripts/record-training-scripts.py

A script's own batch is that of its first step at every step; what its model draws is drawn anew.
Writes test/golden/training/scripts.json. Needs PyTorch; nothing else in the repository does.
"""
import importlib.util
import json
from pathlib import Path
import random
import sys

import torch

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
SCRIPTS = REPOSITORY / "test" / "training" / "scripts"
STEPS, RATE, CLIP = 50, 3e-3, 1.0


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seed():
    random.seed(0)
    torch.manual_seed(0)


class SameBatch:
    """Draws of `step` itself give at every step what they gave at the first."""

    def __init__(self, path):
        self.path, self.drawn, self.at = str(path), [], None
        for name in ("rand", "randint", "randn"):
            setattr(torch, name, self.keeping(getattr(torch, name)))

    def keeping(self, draw):
        def kept(*args, **options):
            code = sys._getframe(1).f_code
            if (code.co_filename, code.co_name) != (self.path, "step"):
                return draw(*args, **options)
            if self.at is None:
                self.drawn.append(draw(*args, **options))
                return self.drawn[-1].clone()
            self.at += 1
            return self.drawn[self.at - 1].clone()

        return kept


def run(path):
    originals = {name: getattr(torch, name) for name in ("rand", "randint", "randn")}
    seed()
    script = load(path)
    seed()
    model = script.build()
    model.train(script.MODE == "train")
    batch = SameBatch(path)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=RATE)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad(set_to_none=True)
        loss = script.step(model)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, CLIP)
        optimizer.step()
        losses.append(loss.item())
        batch.at = 0
    for name, original in originals.items():
        setattr(torch, name, original)
    return losses


def main():
    torch.set_num_threads(1)
    recorded = {path.name: run(path) for path in sorted(SCRIPTS.glob("*.py"))}
    for name, losses in recorded.items():
        print(name, losses[0], losses[-1])
    lines = ",\n".join(f'"{name}": {json.dumps(losses)}' for name, losses in recorded.items())
    settings = f'"lr": {RATE}, "clip": {CLIP}, "losses": {{\n{lines}\n}}'
    data = f'{{"torch": "{torch.__version__.split("+")[0]}", {settings}}}\n'
    (REPOSITORY / "test" / "golden" / "training" / "scripts.json").write_text(data)


if __name__ == "__main__":
    main()
