import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import { depthTable } from "./depthTable.ts";
import { stackSides } from "./reportSide.ts";

test("each series from its first number to its last", () => {
  const sides = [preReport(), postReport()].map((report) => ({
    name: report.blocks[0]?.placement ?? "",
    report,
    files: [],
  }));
  const { rows } = depthTable(stackSides(sides)[0] ?? []);
  expect(
    rows.map((row) => row.map(({ text }) => text).join(" ")).join("\n"),
  ).toMatchInlineSnapshot(`
    "residual stream RMS 1.45 2.32 ▁▃▅▇ 1.00 1.00 ▄▄▄▄
    attn / stream 0.350 0.175 ▇▃▂▁ 0.340 0.340 ▄▄▄▄
    ffn / stream 0.620 0.310 ▇▃▂▁ 0.710 0.710 ▄▄▄▄
    gradient at block output 2.00e-3 1.00e-3 ▇▃▂▁ 4.00e-4 1.64e-3 ▁▂▄▇
    FFN weight gradient 0.358 0.179 ▇▃▂▁ 0.0717 0.294 ▁▂▄▇
    backward gain 1.20 1.20 ▄▄▄▄ 0.630 0.630 ▄▄▄▄"
  `);
});
