#!/usr/bin/env python3
"""Runs what a report's model was, in PyTorch on a device, and compares loss and gradients.

    python test/devices/against_torch.py REPORT.json FOLDER [--device cuda] [--within 1e-3]

FOLDER has the model's file. The weights and inputs are drawn on the CPU, as Normscope draws them,
and moved to the device. Exit code 1: a number is further apart than --within, measured as
|a - b| / (|b| + 0.02 * largest).
"""
import argparse
import json
import math
import sys
import time

import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("report")
    parser.add_argument("folder")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--within", type=float, default=1e-3)
    options = parser.parse_args()
    with open(options.report, encoding="utf-8") as file:
        report = json.load(file)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    sys.path.insert(0, options.folder)
    sys.dont_write_bytecode = True
    script = {}
    exec(report["plan"], script)  # the script that was run: it names no device
    torch.manual_seed(report["source"]["seed"])
    model = script["build"]().eval()
    state = torch.get_rng_state()
    model.to(options.device)
    milliseconds = [timed(script["step"], model, state, options.device) for _ in range(3)]
    loss, grads = milliseconds[-1][1:]
    rows = [("loss", loss, report["loss"])]
    for parameter in report["parameters"]:
        if parameter["gradient"] is not None:
            name = parameter["name"]
            rows.append((name, grads[name], parameter["gradient"]["rms"]))
    largest = max(expected for _, expected, _ in rows[1:])
    worst = 0.0
    for name, expected, found in rows:
        floor = 0.0 if name == "loss" else 0.02 * largest
        distance = abs(float(found) - expected) / (abs(expected) + floor)
        worst = max(worst, distance if math.isfinite(distance) else math.inf)
    print(
        f"{len(rows)} numbers, furthest apart {worst:.1e}; "
        f"PyTorch on {options.device}: {min(row[0] for row in milliseconds):.0f} ms, "
        f"Normscope on {report['device']['provider']}, statistics included: "
        f"{report['timing']['runMs']:.0f} ms (its first run)"
    )
    sys.exit(0 if worst <= options.within else 1)


def timed(step, model, state, device):
    """One forward and backward pass, with the inputs of the first: (ms, loss, RMS of gradients)."""
    torch.set_rng_state(state)
    model.zero_grad()
    drawn = {name: getattr(torch, name) for name in ("randint", "randn", "rand")}
    for name, draw in drawn.items():
        setattr(torch, name, lambda *args, _draw=draw, **kwargs: _draw(*args, **kwargs).to(device))
    try:
        if device.startswith("cuda"):
            torch.cuda.synchronize()
        start = time.perf_counter()
        loss = step(model)
        loss.backward()
        if device.startswith("cuda"):
            torch.cuda.synchronize()
        milliseconds = (time.perf_counter() - start) * 1000
    finally:
        for name, draw in drawn.items():
            setattr(torch, name, draw)
    grads = {
        name: parameter.grad.double().square().mean().sqrt().item()
        for name, parameter in model.named_parameters()
        if parameter.grad is not None
    }
    return milliseconds, loss.item(), grads


if __name__ == "__main__":
    main()
