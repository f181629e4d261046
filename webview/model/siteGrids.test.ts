import { expect, test } from "vitest";
import { stacks } from "../../src/present/blocks.ts";
import { formatNumber } from "../../src/present/number.ts";
import { preReport } from "../../test/fixtures/reports.ts";
import { type Grid, gridTable } from "./grid.ts";
import { siteGrids } from "./siteGrids.ts";

const printed = ({ columns, rows }: Grid): string =>
  [
    columns.join(" "),
    ...rows.map(({ label, place, values }) => {
      const numbers = values.map((it) => (it === null ? "–" : formatNumber(it)));
      return `${label} (${place?.line}): ${numbers.join(" ")}`;
    }),
  ].join("\n");

test("shows every operation of a block, block by block", () => {
  const report = preReport();
  const [stack] = stacks(report);
  const grids = stack === undefined ? null : siteGrids(report, stack);
  expect(grids === null ? "" : printed(grids.forward)).toMatchInlineSnapshot(`
    "0 1 2 3
    norm1 (24): 1.00 1.00 1.00 1.00
    attn (24): 0.350 0.350 0.350 0.350
    add :24 (24): 1.30 1.61 1.87 2.09
    ffn.up (12): 0.800 0.800 0.800 0.800
    ffn (12): 0.500 0.500 0.500 0.500
    ffn.down (12): 0.620 0.620 0.620 0.620
    add :25 (25): 1.45 1.79 2.07 2.32"
  `);
  expect(grids === null ? "" : printed(grids.backward)).toMatchInlineSnapshot(`
    "0 1 2 3
    norm1 (24): 1.40e-3 9.90e-4 8.08e-4 7.00e-4
    attn (24): 2.00e-3 1.41e-3 1.15e-3 1.00e-3
    add :24 (24): 2.20e-3 1.56e-3 1.27e-3 1.10e-3
    ffn.up (12): 1.00e-3 7.07e-4 5.77e-4 5.00e-4
    ffn (12): 1.20e-3 8.49e-4 6.93e-4 6.00e-4
    ffn.down (12): 2.00e-3 1.41e-3 1.15e-3 1.00e-3
    add :25 (25): 2.00e-3 1.41e-3 1.15e-3 1.00e-3"
  `);
});

test("says the grid as a table", () => {
  const grid: Grid = {
    title: "Forward RMS",
    definition: "",
    across: "block",
    columns: ["0", "1"],
    rows: [{ label: "attn", place: null, values: [1, "NaN"] }],
  };
  expect(gridTable(grid).rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["attn", "1.00", "NaN"],
  ]);
});
