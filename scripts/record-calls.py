#!/usr/bin/env python3
"""Records what real PyTorch gives for single calls: results, gradients, refusals.

    python scripts/record-calls.py [FAMILY ...]

Each file of scripts/calls names cases of one family (see calls/form.py); its answers are written to
test/golden/calls/FAMILY.json. Needs PyTorch for the CPU; nothing else in the repository does.
"""
import importlib
import json
from pathlib import Path
import sys
import warnings

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts"))

from calls.form import answer  # noqa: E402

GOLDEN = REPOSITORY / "test" / "golden" / "calls"


def main():
    warnings.simplefilter("ignore")
    folder = REPOSITORY / "scripts" / "calls"
    families = sys.argv[1:] or sorted(p.stem for p in folder.glob("*.py") if p.stem != "form")
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for family in families:
        cases = importlib.import_module(f"calls.{family}").CASES
        answers = [answer(case) for case in cases]
        lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in answers)
        (GOLDEN / f"{family}.json").write_text(f"[\n{lines}\n]\n")
        refused = sum("error" in one for one in answers)
        print(f"{family}: {len(answers)} cases, {refused} refused")


if __name__ == "__main__":
    main()
