import { expect, test } from "vitest";
import { filePresets, modelFacts } from "./modelFacts.ts";

const source = `"""A model. PRESETS = {"no": dict()}"""
FACTS = {
    "norm": ("LayerNorm, \\"as is\\"", "a/b, c.py"),  # of both
    "initialisation": ("not disclosed", ""),
}

PRESETS: dict = {
    "tiny": dict(),
    # printed as 12
    "base": dict(
        n_layers=12, eps=1e-5,
    ),
    'large': {"n_layers": 24, "names": ["a", "b"]},
}
x = {"not": dict(a=1)}
`;

test("reads presets as constructor arguments", () => {
  expect(filePresets(source)).toEqual([
    { name: "tiny", set: {} },
    { name: "base", set: { n_layers: "12", eps: "1e-5" } },
    { name: "large", set: { n_layers: "24", names: '["a", "b"]' } },
  ]);
});

test("reads facts with their sources", () => {
  expect(modelFacts(source)).toEqual([
    { name: "norm", fact: 'LayerNorm, \\"as is\\"', source: "a/b, c.py" },
    { name: "initialisation", fact: "not disclosed", source: "" },
  ]);
});

test("a file without them has none", () => {
  expect(filePresets("class A: pass")).toEqual([]);
  expect(modelFacts("")).toEqual([]);
});
