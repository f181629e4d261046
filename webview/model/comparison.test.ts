import { expect, test } from "vitest";
import { shownRun } from "../../test/e2e/pages/sampleRuns.ts";
import { comparisonModel, pairTable } from "./comparison.ts";

test("lays the depth profiles of all runs over one another, and pairs each with the first", () => {
  const { stacks, pairs } = comparisonModel([shownRun("pre"), shownRun("post")], []);
  expect(stacks[0]?.map(({ title, lines }) => `${title}: ${lines.map((it) => it.name)}`)).toEqual([
    "residual stream RMS: Pre-LN,Post-LN",
    "attn / stream: Pre-LN,Post-LN",
    "ffn / stream: Pre-LN,Post-LN",
    "gradient at block output: Pre-LN,Post-LN",
    "FFN weight gradient: Pre-LN,Post-LN",
    "backward gain: Pre-LN,Post-LN",
  ]);
  expect(pairs.map(({ names }) => names)).toEqual([["Pre-LN", "Post-LN"]]);
});

test("the farthest apart come first", () => {
  const [pair] = comparisonModel([shownRun("pre"), shownRun("post")], []).pairs;
  const rows = pair === undefined ? [] : pairTable("", pair.modules, pair).rows;
  const ratios = rows.map((row) => Math.abs(Math.log(Number(row[6]?.value ?? 1))));
  expect(rows.length).toBeGreaterThan(20);
  expect(ratios[0]).toBeGreaterThanOrEqual(ratios.at(-1) ?? 0);
});

test("one run has nothing to be compared with", () => {
  expect(comparisonModel([shownRun("pre")], []).pairs).toEqual([]);
});
