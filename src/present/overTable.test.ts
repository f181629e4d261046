import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import { overTable } from "./overTable.ts";

test("a line a value: what was found, the loss, and the ends over depth", () => {
  const sides = [
    { name: "pre", report: preReport(), files: [] },
    { name: "post", report: postReport(), files: [] },
  ];
  const { columns, rows } = overTable("placement", sides);
  expect(columns.map(({ label, group }) => [group, label].join(" ")).slice(0, 5)).toEqual([
    " placement",
    " found",
    " loss",
    "residual stream RMS first",
    "residual stream RMS last",
  ]);
  expect(rows.map((row) => row.map(({ text }) => text).join(" "))).toMatchInlineSnapshot(`
    [
      "pre Pre-LN 5.91 1.45 2.32 2.00e-3 1.00e-3 0.358 0.179",
      "post Post-LN 5.99 1.00 1.00 4.00e-4 1.64e-3 0.0717 0.294",
    ]
  `);
});
