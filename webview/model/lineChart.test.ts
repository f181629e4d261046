import { expect, test } from "vitest";
import { chartSummary, chartTable, type LineChart } from "./lineChart.ts";

const chart: LineChart = {
  title: "residual stream RMS",
  definition: "",
  across: "block",
  labels: ["0", "1"],
  lines: [
    { name: "Pre-LN", values: [1, 2], modules: [] },
    { name: "Post-LN", values: [null, null], modules: [] },
  ],
};

test("says a chart in one sentence", () => {
  expect(chartSummary(chart)).toBe("Pre-LN: 1.00 → 2.00; Post-LN: –");
});

test("says a chart as a table", () => {
  const { columns, rows } = chartTable(chart);
  expect(columns.map(({ label }) => label)).toEqual(["block", "Pre-LN", "Post-LN"]);
  expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["0", "1.00", "–"],
    ["1", "2.00", "–"],
  ]);
});
