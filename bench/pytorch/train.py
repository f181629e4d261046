"""Times a plain training step in PyTorch, one for each line of stdin.

    python train.py FILE CLASS ARGUMENTS BATCH SEQ THREADS

ARGUMENTS is JSON. Adam with PyTorch's defaults, fresh random tokens; no statistics are computed.
Prints "ready", then for each line the step's milliseconds.
"""
import json
import sys
import time

import torch
import torch.nn.functional as F

from scripts import load


def main(path, name, arguments, batch, seq, threads):
    torch.set_num_threads(int(threads))
    torch.manual_seed(0)
    arguments = json.loads(arguments)
    model = getattr(load(path), name)(**arguments).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    size = (int(batch), int(seq) + 1)
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        tokens = torch.randint(0, arguments["vocab_size"], size)
        optimizer.zero_grad(set_to_none=True)
        logits = model(tokens[:, :-1])
        F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()).backward()
        optimizer.step()
        print(1000 * (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
