import { expect, test } from "vitest";
import { comparedSides } from "./comparedSides.ts";

test("a model beside itself at two checkpoints", () => {
  expect(comparedSides(["a.py:A", null], "init,a.safetensors")).toEqual([
    { target: "a.py:A", weights: null },
    { target: "a.py:A", weights: "a.safetensors" },
  ]);
});

test("one checkpoint is for both models", () => {
  const sides = comparedSides(["a.py:A", "b.py:B"], "a.pt");
  expect(sides.map(({ weights }) => weights)).toEqual(["a.pt", "a.pt"]);
});

test("one model without two checkpoints is nothing to compare", () => {
  const nothing = "compare needs two models, or two checkpoints of one";
  expect(() => comparedSides(["a.py:A", null], null)).toThrow(nothing);
  expect(() => comparedSides(["a.py:A", null], "a.pt")).toThrow(nothing);
  expect(() => comparedSides(["a.py:A", null], "a,b,c")).toThrow("one checkpoint or two");
});
