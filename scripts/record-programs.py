#!/usr/bin/env python3
"""Records what real PyTorch gives for the programs of test/programs/found.json.

    python scripts/record-programs.py

They are programs in which `npm run fuzz:torch` found a difference once, made small. Writes
test/golden/programs.json: the answers, in their order. Needs PyTorch for the CPU and expecttest.
"""
import json
from pathlib import Path
import sys
import warnings

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts" / "fuzz"))

from oracle import answer  # noqa: E402


def main():
    warnings.simplefilter("ignore")
    programs = json.loads((REPOSITORY / "test" / "programs" / "found.json").read_text())
    lines = ",\n".join(json.dumps(answer(one), separators=(",", ":")) for one in programs)
    (REPOSITORY / "test" / "golden" / "programs.json").write_text(f"[\n{lines}\n]\n")
    print(f"{len(programs)} programs")


if __name__ == "__main__":
    main()
