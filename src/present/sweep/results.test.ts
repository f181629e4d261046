import { expect, test } from "vitest";
import { axisFits, fitPower, type SweepOutcome, sweepRows } from "./results.ts";

const outcome = (depth: number, placement: string, seed: number): SweepOutcome => ({
  run: { index: 0, choices: { n_layers: String(depth), placement }, seed },
  result: {
    placement: placement === "pre" ? "Pre-LN" : "Post-LN",
    measures: {
      "FFN weight gradient, last": (1 + 0.02 * seed) * depth ** (placement === "pre" ? -0.5 : 0),
    },
  },
});

const outcomes = [2, 4, 8].flatMap((depth) =>
  ["post", "pre"].flatMap((placement) => [0, 1, 2].map((seed) => outcome(depth, placement, seed))),
);

test("a power law has its exponent and an interval about it", () => {
  const exact = fitPower([
    [1, 2],
    [2, 1],
    [4, 0.5],
  ]);
  expect(exact?.slope).toBeCloseTo(-1);
  expect(exact?.halfInterval).toBeCloseTo(0);
});

test("two places have no exponent", () => {
  expect(
    fitPower([
      [1, 2],
      [2, 1],
      [2, 1.1],
    ]),
  ).toBeNull();
});

test("seeds of a setting are one row with median and range", () => {
  const rows = sweepRows(outcomes);
  expect(rows).toHaveLength(6);
  const { median, least, most } = rows[0]?.measures["FFN weight gradient, last"] ?? {};
  expect([median, least, most]).toEqual([1.02, 1, 1.04]);
});

test("fits depth with the placement held, beside the theory's exponent", () => {
  const fits = axisFits(sweepRows(outcomes));
  const shown = fits.map(({ axis, others, slope, theory }) => [
    axis,
    others["placement"],
    Number(slope.toFixed(3)) + 0,
    theory,
  ]);
  expect(shown).toEqual([
    ["n_layers", "post", 0, 0],
    ["n_layers", "pre", -0.5, -0.5],
  ]);
});

test("a failed run leaves its setting with fewer", () => {
  const [first, ...others] = outcomes;
  if (!first) throw new Error("there are some");
  const [row] = sweepRows([{ ...first, result: null }, ...others]);
  expect([row?.done, row?.all]).toEqual([2, 3]);
});

test("a run that diverged is the worst of its setting, wherever it stands", () => {
  const run = (loss: number | "NaN", seed: number): SweepOutcome => ({
    run: { index: seed, choices: { lr: "1" }, seed },
    result: { placement: null, measures: { "final loss": loss } },
  });
  const [row] = sweepRows([run(3, 0), run("NaN", 1), run(1, 2), run(2, 3)]);
  const { median, least, most } = row?.measures["final loss"] ?? {};
  expect([median, least, most]).toEqual([2.5, 1, Number.NaN]);
});
