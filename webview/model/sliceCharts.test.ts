import { expect, test } from "vitest";
import type { AxisBreakdown, Detail } from "../../src/protocol/report.ts";
import { chartTable } from "./lineChart.ts";
import { sliceCharts } from "./sliceCharts.ts";

const axis = (own: Partial<AxisBreakdown>): AxisBreakdown => ({
  ...{ axis: 0, name: null, size: 2, step: 1 },
  ...{ rms: [1, 2], mean: [-1, 0], std: [1, 1], absMax: [3, "NaN"] },
  ...own,
});
const detail = (axes: readonly AxisBreakdown[]): Detail => ({
  histogram: { least: 0, negative: [], positive: [], zeros: 0 },
  percentiles: { p1: 0, p50: 0, p99: 0 },
  losses: {
    float16: { flushed: 0, overflowed: 0 },
    bfloat16: { flushed: 0, overflowed: 0 },
    float8_e4m3fn: { flushed: 0, overflowed: 0 },
    float8_e5m2: { flushed: 0, overflowed: 0 },
  },
  axes,
});

test("has a chart for each axis and statistic: positions first, samples last", () => {
  const charts = sliceCharts(
    "Value: gelu",
    detail([
      axis({ name: "batch" }),
      axis({ axis: 1, name: "position" }),
      axis({ axis: 2, name: null }),
    ]),
  );
  expect(charts.map(([id]) => id).filter((id) => id.startsWith("rms"))).toEqual([
    "rms:position",
    "rms:2",
    "rms:batch",
  ]);
  expect(charts[0]?.[1]).toMatchObject({ title: "RMS by position", across: "position" });
  expect(charts.find(([id]) => id === "mean:2")?.[1]).toMatchObject({
    title: "Mean by axis 2",
    isLinear: true,
  });
});

test("says which neighbours are together, in the chart and in its table", () => {
  const [first] = sliceCharts("Value: gelu", detail([axis({ size: 5, step: 3 })]));
  const chart = first?.[1];
  expect(chart).toMatchObject({ labels: ["0–2", "3–4"] });
  expect(chart?.definition).toContain("3 neighbours");
  expect(chart && chartTable(chart).rows[1]?.map(({ text }) => text)).toEqual(["3–4", "2.00"]);
});
