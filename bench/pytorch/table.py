"""What one does without Normscope: a script with hooks that runs a model once and prints a table.

    python table.py SCRIPT THREADS
"""
import sys

import torch

from hooks import NAMES, Watch
from scripts import load


def main(path, threads):
    torch.set_num_threads(int(threads))
    script = load(path)
    torch.manual_seed(0)
    model = script.build().eval()
    watch = Watch(model)
    loss = script.step(model)
    loss.backward()
    watch.parameters()
    print(f"loss {loss.item():.5g}")
    print(f"{'':40}{'':12}" + "".join(f"{name:>13}" for name in NAMES))
    for name, kind, numbers in watch.rows:
        print(f"{name:40}{kind:12}" + "".join(f"{number:13.5g}" for number in numbers))


if __name__ == "__main__":
    main(*sys.argv[1:])
