#!/usr/bin/env python3
"""Records how real PyTorch lays out the results of calls, by their strides.

    python scripts/record-strides.py

Runs each line of test/strides/calls.txt on operands in each layout of test/strides/layouts.json and
writes test/golden/strides.json. Needs PyTorch for the CPU; nothing else in the repository does.
"""
import json
from pathlib import Path
import sys
import warnings

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts" / "fuzz"))

import harness  # noqa: E402


class Recorder:
    """Collects what a program's lines give."""

    def __init__(self):
        self.values = {}

    def tensor(self, label, tensor):
        pass

    def value(self, label, text):
        self.values[label] = text

    def error(self, label, kind, text):
        self.values[label] = kind


def programs():
    """One for each layout: the operands, then a line for each call, named c0, c1 and so on."""
    folder = REPOSITORY / "test" / "strides"
    given = json.loads((folder / "layouts.json").read_text())
    calls = (folder / "calls.txt").read_text().splitlines()
    lines = [f"c{at} = laid(lambda: {call})" for at, call in enumerate(calls)]
    for name, laid in given["layouts"].items():
        yield name, calls, {
            "leaves": [],
            "lines": [*given["setup"], *laid, *lines],
            "order": [f"c{at}" for at in range(len(calls))],
        }


def main():
    warnings.simplefilter("ignore")
    found = {}
    for name, calls, program in programs():
        recorder = Recorder()
        harness.run_program(harness.Model([program]), 0, program, recorder)
        found[name] = [recorder.values[f"c{at}"] for at in range(len(calls))]
    rows = [f'"{name}": {json.dumps(texts, indent=0)}' for name, texts in found.items()]
    path = REPOSITORY / "test" / "golden" / "strides.json"
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    print(f"{len(found)} layouts of {len(calls)} calls")


if __name__ == "__main__":
    main()
