"""Records what test/engine/printed/printing.py prints in PyTorch: test/golden/printed.txt.

    python scripts/record-printed.py
"""

import contextlib
import io
import pathlib
import runpy

import torch

ROOT = pathlib.Path(__file__).parent.parent


def main():
    torch.manual_seed(0)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        names = runpy.run_path(ROOT / "test/engine/printed/printing.py")
        torch.manual_seed(0)
        names["step"](names["build"]()).backward()
    (ROOT / "test/golden/printed.txt").write_text(printed.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    main()
