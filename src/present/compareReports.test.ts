import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import { compareReports, difference, differenceTable } from "./compareReports.ts";

test("aligns modules and parameters by their names", () => {
  const comparison = compareReports(preReport(), postReport());
  expect(comparison.onlyA).toEqual(["final_norm"]);
  expect(comparison.onlyB).toEqual([]);
  const block = comparison.modules.find(({ path }) => path === "blocks.3");
  expect(block?.forward.logRatio).toBeCloseTo(Math.log10(1 / Math.sqrt(5.4)), 5);
  expect(block?.gradient.logRatio).toBeCloseTo(Math.log10(4e-4 * 1.6 ** 3 * 1000), 5);
  expect(comparison.parameters.map(({ path }) => path)).toContain("blocks.0.ffn.down.weight");
});

test("a report does not differ from itself", () => {
  const { modules, parameters, loss } = compareReports(preReport(), preReport());
  expect(Math.max(...[...modules, ...parameters].map(difference))).toBe(0);
  expect(loss.logRatio).toBe(0);
});

test("what has no ratio is as far apart as can be", () => {
  const none = { a: null, b: null, logRatio: null };
  const lost = { a: 1, b: "NaN", logRatio: null } as const;
  expect(difference({ path: "", forward: none, gradient: none })).toBe(0);
  expect(difference({ path: "", forward: lost, gradient: none })).toBe(Number.POSITIVE_INFINITY);
});

test("what differs most comes first", () => {
  const comparison = compareReports(preReport(), postReport());
  const { rows } = differenceTable(comparison, ["Pre-LN", "Post-LN"], 3);
  expect(rows.map((row) => row.map(({ text }) => text).join(" "))).toMatchInlineSnapshot(`
    [
      "blocks.0.attn 0.350 0.350 ×1.00 2.00e-3 4.00e-4 ×0.200",
      "blocks.0.ffn.up 0.800 0.800 ×1.00 1.00e-3 2.00e-4 ×0.200",
      "blocks.0.ffn.down 0.620 0.620 ×1.00 2.00e-3 4.00e-4 ×0.200",
    ]
  `);
});
