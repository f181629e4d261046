import { expect, test } from "vitest";
import { argumentChoices } from "./argumentChoices.ts";
import { formFields } from "./modelForm.ts";
import { pythonOutline } from "./pythonOutline.ts";

const source = `from enum import Enum, StrEnum
from torch import nn

class Place(StrEnum):
    PRE = "pre"  # before
    POST = "post"

class Model(nn.Module):
    def __init__(self, place: Place = Place.PRE, norm='layer', act="relu", kind="a", tied=False,
                 bias: bool = True, mode="x", n_layers=4, attn: str = "sdpa"):
        super().__init__()
        # if n_layers == "none": a comment
        if norm == 'layer' or "rms" == norm:
            self.norm = None
        assert act in ("relu", "gelu", 'silu')
        self.kind = kind
        self.attn = {"sdpa": 1, "eager": 2}[attn]
        match mode:
            case "x" | "y":
                pass
            case "z":
                pass

    def forward(self, x):
        if self.kind != "b":
            return x
        return x if self.kind == "c" else x
`;

const choicesOf = (name: string) => {
  const outline = pythonOutline(source);
  const model = outline.classes.find((it) => it.name === "Model");
  const field = model && formFields(outline, model).find((it) => it.name === name);
  return field && argumentChoices(source, outline, field);
};

test.each([
  ["place", ["'PRE'", "'POST'"]],
  ["norm", ["'layer'", "'rms'"]],
  ["act", ["'relu'", "'gelu'", "'silu'"]],
  ["kind", ["'a'", "'b'", "'c'"]],
  ["tied", ["True", "False"]],
  ["bias", ["True", "False"]],
  ["mode", ["'x'", "'y'", "'z'"]],
  ["attn", ["'sdpa'", "'eager'"]],
  ["n_layers", []],
])("the values of %s", (name, values) => {
  expect(choicesOf(name)).toEqual(values);
});
