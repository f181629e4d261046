#!/usr/bin/env python3
"""Records, in real PyTorch, the numbers that Normscope's are compared with.

    python scripts/record-golden.py [--only TEXT]

Each script under test/semantics and test/parity/drivers (build(), step(model), optional MODE and
BACKWARD) gives a JSON file of the same path under test/golden: loss, buffers, parameters, module
calls and the results of torch functions, each with Stats and the Stats of its gradient, or the
error that the script raises. A script can name the parts it needs in GOLDEN.
Needs PyTorch for the CPU; nothing else in the repository does.
"""
import argparse
import multiprocessing
from pathlib import Path
import sys

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(REPOSITORY / "scripts"))

from golden.layout import write_golden  # noqa: E402
from golden.run_script import run_script  # noqa: E402

# Where scripts lie, and what the file names in their goldens are relative to (None: their folder).
SOURCES = [("test/semantics", None), ("test/parity/drivers", REPOSITORY)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only scripts with this text in their path")
    only = parser.parse_args().only
    for folder, root in SOURCES:
        for script in sorted((REPOSITORY / folder).rglob("*.py")):
            if only in str(script.relative_to(REPOSITORY)):
                record(script, root or script.parent)


def record(script: Path, root: Path):
    name = script.relative_to(REPOSITORY / "test")
    golden = in_own_process(script, root, True)
    unwatched = in_own_process(script, root, False)
    for part in ("error", "loss", "parameters"):
        if golden.get(part) != unwatched.get(part):
            sys.exit(f"{name}: {part} is not the same when nothing watches the script")
    write_golden(golden, REPOSITORY / "test" / "golden" / name.with_suffix(".json"))
    print(f"{name}: {golden['error'] or golden['loss']}")


def in_own_process(script: Path, root: Path, watched: bool) -> dict:
    """A script may change PyTorch's global state: it gets an interpreter of its own."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(run_script, (str(script), str(root), watched))


if __name__ == "__main__":
    main()
