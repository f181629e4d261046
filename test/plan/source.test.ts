/** What reading a file's source says, and what it does where a class has none of its own. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const kept = `import sys

SOURCES = {}


def kept(cls):
    class Kept(cls):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.made_with = kwargs

    Kept.__name__ = cls.__name__
    Kept.__module__ = cls.__module__
    return Kept
`;

test("a class that a decorator put another one in the place of", async () => {
  const model = `from torch import nn
from kept import kept


@kept
class M(nn.Module):
    def __init__(self, width, kind):
        super().__init__()
        self.a = nn.Linear(width, width if kind == "square" else 1)

    def forward(self, x):
        return self.a(x)
`;
  const { plan, assumptions } = await runFiles(
    { "model.py": model, "kept.py": kept },
    "model.py",
    "M",
  );
  expect(plan).toContain("kind='square'");
  expect(assumptions?.map(({ line }) => line)).toContain(5);
});

test("what Python warns of in a file is told once, with the file", async () => {
  const model = `from torch import nn

PATTERN = "\\d+"


class M(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.a = nn.Linear(count, count)

    def forward(self, x):
        return self.a(x)
`;
  const settings = 'pattern: "\\d"\n';
  const { printed = [] } = await runFiles(
    { "model.py": model, "base.yaml": settings, "other.py": model },
    "model.py",
    "M",
  );
  const warned = printed.map(({ text }) => text).filter((text) => /SyntaxWarning/.test(text));
  expect(warned).toHaveLength(1);
  expect(warned[0]).toMatch(/model\.py:3: SyntaxWarning/);
});

test("a file that has the name of a package above it", async () => {
  const model = `from models.parts import Part
from torch import nn


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Part()

    def forward(self, x):
        return self.a(x)
`;
  const parts = `from torch import nn


class Part(nn.Linear):
    def __init__(self):
        super().__init__(8, 8)
`;
  const { plan } = await runFiles(
    { "small/models.py": model, "models/parts.py": parts },
    "small/models.py",
    "M",
  );
  expect(plan).toContain("from small.models import M");
});
