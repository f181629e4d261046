import { expect, test } from "vitest";
import { axisFits, type SweepOutcome, sweepRows } from "../../src/present/sweep/results.ts";
import { sweepCharts } from "./sweepCharts.ts";

const outcomes = ["pre", "post"].flatMap((placement) =>
  [2, 4, 8].map((depth, at): SweepOutcome => {
    const measures = { "residual stream RMS, last": placement === "pre" ? Math.sqrt(depth) : 1 };
    return {
      run: { index: at, choices: { n_layers: String(depth), placement }, seed: 0 },
      result: { measures, placement: placement === "pre" ? "Pre-LN" : "Post-LN" },
    };
  }),
);

test("each axis has a chart with a line for each setting of the others, and exponents", () => {
  const rows = sweepRows(outcomes);
  const [depth, placement, ...more] = sweepCharts(rows, axisFits(rows));
  expect(more).toEqual([]);
  expect(depth?.title).toBe("residual stream RMS, last against n_layers");
  expect(depth?.lines.map(({ name }) => name)).toEqual([
    "placement=pre: 0.50 ± 0.00",
    "theory: 0.5",
    "placement=post: 0.00 ± 0.00",
    "theory: 0",
  ]);
  expect(depth?.lines[1]?.values.map(Number)[2]).toBeCloseTo(Math.sqrt(8));
  expect(placement?.labels).toEqual(["pre", "post"]);
  expect(placement?.lines.map(({ name }) => name)).toEqual([
    "n_layers=2",
    "n_layers=4",
    "n_layers=8",
  ]);
});
