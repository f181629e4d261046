import { expect, test } from "vitest";
import { pythonOutline, runnableClass } from "./pythonOutline.ts";

const source = `"""A decoder with the norm before each branch. And more.

Second paragraph.
"""
import torch


class Block(nn.Module):
    """Two branches."""

    def __init__(self, d: int, attn: nn.Module, norm_cls=nn.LayerNorm):
        super().__init__()


class Decoder(nn.Module):
    def __init__(
        self,
        vocab_size: int = 256,  # bytes
        norm: Literal["LayerNorm", "RMSNorm"] = "LayerNorm",
        *,
        betas=(0.9, 0.95),
    ):
        pass


class Config:
    x: int = 1
`;

test("reads docstrings, classes and the defaults of their constructors", () => {
  expect(pythonOutline(source)).toEqual({
    summary: "A decoder with the norm before each branch.",
    scriptLine: null,
    classes: [
      {
        name: "Block",
        line: 8,
        endLine: 12,
        summary: "Two branches.",
        bases: ["nn.Module"],
        isModule: true,
        parameters: [
          { name: "d", annotation: "int", value: null },
          { name: "attn", annotation: "nn.Module", value: null },
          { name: "norm_cls", annotation: null, value: "nn.LayerNorm" },
        ],
        fields: [],
      },
      {
        name: "Decoder",
        line: 15,
        endLine: 23,
        summary: "",
        bases: ["nn.Module"],
        isModule: true,
        parameters: [
          { name: "vocab_size", annotation: "int", value: "256" },
          { name: "norm", annotation: 'Literal["LayerNorm", "RMSNorm"]', value: '"LayerNorm"' },
          { name: "betas", annotation: null, value: "(0.9, 0.95)" },
        ],
        fields: [],
      },
      {
        name: "Config",
        line: 26,
        endLine: 27,
        summary: "",
        bases: [],
        isModule: false,
        parameters: [],
        fields: [{ name: "x", annotation: "int", value: "1" }],
      },
    ],
  });
});

test("the class to run is the last that needs no argument", () => {
  expect(runnableClass(pythonOutline(source))?.name).toBe("Decoder");
  expect(runnableClass(pythonOutline("x = 1\n"))).toBeNull();
});

const modulesOf = (text: string) =>
  pythonOutline(text).classes.flatMap(({ name, isModule }) => (isModule ? name : []));

test("modules are known by their bases, also through one another, or by their forward", () => {
  expect(modulesOf("class A(torch.nn.Linear): ...\nclass B(A):\n  pass\n")).toEqual(["A", "B"]);
  expect(modulesOf("class A(Base):\n    def forward(self, x):\n        return x\n")).toEqual(["A"]);
  expect(modulesOf("class A(Base):\n    def run(self):\n        pass\n")).toEqual([]);
  expect(
    modulesOf("class A(torch.autograd.Function):\n    def forward(ctx, x):\n        pass\n"),
  ).toEqual([]);
});

test("heads over several lines, with type parameters and keywords", () => {
  const text = "class A[T](\n    nn.Module,  # base\n    Generic[T], metaclass=M,\n):\n    x = 1\n";
  expect(pythonOutline(text).classes).toMatchObject([
    { name: "A", line: 1, endLine: 5, bases: ["nn.Module", "Generic[T]"] },
  ]);
});

test("a class in a string is text", () => {
  expect(pythonOutline('x = """\nclass A(nn.Module):\n    pass\n"""\n').classes).toEqual([]);
});

test("a script has build and step", () => {
  const script = "import torch\n\ndef build():\n    pass\n\ndef step(model):\n    pass\n";
  expect(pythonOutline(script).scriptLine).toBe(3);
  expect(pythonOutline("def build():\n    step = 1\n").scriptLine).toBeNull();
});

test("five thousand lines are read within a few milliseconds", () => {
  const long = source.repeat(180);
  const began = performance.now();
  expect(pythonOutline(long).classes).toHaveLength(540);
  expect(performance.now() - began).toBeLessThan(500);
});
