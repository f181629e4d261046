#!/usr/bin/env python3
"""Records what real PyTorch gives for the programs of test/programs.

    python scripts/record-programs.py [NAME ...]

found.json has programs in which `npm run fuzz:torch` found a difference once, made small; their answers
go to test/golden/programs.json, in their order. Every Python file beside it has programs written by
hand (see fuzz/cells.py): test/golden/programs/NAME.json has them with their answers. NAME records
those of one file only. Needs PyTorch for the CPU and expecttest.
"""
import json
from pathlib import Path
import sys
import warnings

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts" / "fuzz"))

import torch  # noqa: E402

from cells import programs_of  # noqa: E402
from oracle import answer  # noqa: E402

PROGRAMS = REPOSITORY / "test" / "programs"
GOLDEN = REPOSITORY / "test" / "golden"


def main():
    warnings.simplefilter("ignore")
    # Threads sum in half precision apart.
    torch.set_num_threads(1)
    names = sys.argv[1:]
    if not names:
        programs = json.loads((PROGRAMS / "found.json").read_text())
        write(GOLDEN / "programs.json", [answer(one) for one in programs])
    for path in sorted(PROGRAMS.glob("*.py")):
        if not names or path.stem in names:
            cells = list(programs_of(path.read_text()))
            rows = [{"title": title, "program": one, "answer": answer(one)} for title, one in cells]
            write(GOLDEN / "programs" / f"{path.stem}.json", rows)


def write(path, rows):
    path.parent.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")
    print(f"{path.name}: {len(rows)} programs")


if __name__ == "__main__":
    main()
