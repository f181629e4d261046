import { expect, test } from "vitest";
import type { FileSurvey } from "../../protocol/survey.ts";
import { surveyTables, verdict } from "./survey.ts";

const found: FileSurvey = {
  syntaxError: null,
  isScript: false,
  imports: [
    { name: "torch", line: 1, kind: "stand-in", guarded: false },
    { name: "apex", line: 3, kind: "missing", guarded: true },
    { name: "wandb", line: 5, kind: "missing", guarded: false },
  ],
  calls: [
    { name: "Tensor.geqrf", state: "unsupported", nearest: ["qr"], lines: [9, 12] },
    { name: "torch.nn.Linear", state: "supported", nearest: [], lines: [8] },
  ],
  classes: [
    {
      name: "Net",
      line: 7,
      hasForward: true,
      arguments: [
        { name: "dim", default: null, madeUp: "64", config: null },
        { name: "kind", default: null, madeUp: null, config: null },
        { name: "bias", default: "True", madeUp: null, config: null },
      ],
    },
  ],
};

test("the first line says what a run would meet", () => {
  expect(verdict(found)).toBe("1 class, 1 call not supported, 1 import missing");
  const fine = { ...found, calls: [], imports: [], isScript: true };
  expect(verdict(fine)).toBe("A script with build() and step(), every call is supported");
  const syntaxError = { line: 3, message: "invalid syntax" };
  expect(verdict({ ...found, syntaxError })).toBe("No Python: line 3, invalid syntax");
});

test("the tables list classes, imports and calls", () => {
  const text = surveyTables(found).flatMap(({ title, rows }) => [
    title,
    ...rows.map((row) => `  ${row.map((cell) => cell.text).join(" | ")}`),
  ]);
  expect(text).toMatchInlineSnapshot(`
    [
      "Classes",
      "  7 | Net | dim (made up: 64), kind (needs --set kind=…), bias=True",
      "Imports",
      "  1 | torch | comes with Normscope",
      "  3 | apex | missing: its try takes care",
      "  5 | wandb | missing: refused at first use",
      "Calls that are not supported",
      "  9, 12 | Tensor.geqrf | qr",
      "Calls that are supported (1)",
      "  8 | torch.nn.Linear",
    ]
  `);
});
