#!/usr/bin/env python3
"""Writes the transition table of the Markov task: 16 symbols, each row drawn from Dirichlet(0.1).

    python scripts/record-markov.py

Needs numpy, whose default_rng(0) the table is drawn from.
"""
import json
from pathlib import Path

import numpy

REPOSITORY = Path(__file__).resolve().parent.parent
SYMBOLS, CONCENTRATION, SEED = 16, 0.1, 0


def main():
    generator = numpy.random.default_rng(SEED)
    rows = generator.dirichlet([CONCENTRATION] * SYMBOLS, size=SYMBOLS)
    lines = ",\n".join("  " + json.dumps([float(x) for x in row]) for row in rows)
    path = REPOSITORY / "src" / "train" / "tasks" / "markovTable.json"
    path.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
