"""Times a script's forward and backward in PyTorch, one step for each line of stdin.

    python steps.py SCRIPT plain|hooks|torchlens THREADS

Prints "ready", then for each line the step's milliseconds. `plain` computes no statistics, `hooks`
those of hooks.py, `torchlens` logs every operation and gradient with TorchLens.
"""
import sys
import time

import torch

from hooks import Watch
from scripts import load


def plain(script, model):
    return lambda: script.step(model).backward()


def hooks(script, model):
    watch = Watch(model)

    def step():
        watch.clear()
        script.step(model).backward()
        watch.parameters()

    return step


def torchlens(script, model):
    import torchlens as tl

    class Loss(torch.nn.Module):
        """TorchLens logs the forward of one module and walks back from an output of it."""

        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, _):
            return script.step(self.model)

    loss = Loss()
    options = tl.options.CaptureOptions(layers_to_save="all", save_grads="all", backward_ready=True)

    def step():
        trace = tl.trace(loss, torch.zeros(1), capture=options)
        trace.log_backward(trace[trace.output_layers[0]].out)

    return step


def main(path, kind, threads):
    torch.set_num_threads(int(threads))
    script = load(path)
    torch.manual_seed(0)
    model = script.build().eval()
    step = {"plain": plain, "hooks": hooks, "torchlens": torchlens}[kind](script, model)
    print("ready", flush=True)
    for _ in sys.stdin:
        model.zero_grad(set_to_none=True)
        start = time.perf_counter()
        step()
        print(1000 * (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
