/** A plot as a chart of lines: a position for each x, the median where several points share one. */
import { medianOf } from "../../src/present/median.ts";
import { formatNumber } from "../../src/present/number.ts";
import type { Plot } from "../../src/protocol/plot.ts";
import type { LineChart } from "./lineChart.ts";

export function plotChart({ title, definition, x, y, lines }: Plot): LineChart {
  const places = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].toSorted(
    (a, b) => a - b,
  );
  return {
    title,
    definition,
    across: x.label,
    labels: places.map((at) => (Number.isInteger(at) ? String(at) : formatNumber(at))),
    lines: lines.map(({ name, points }) => ({
      name,
      values: places.map((place) =>
        medianOf(points.flatMap(([at, v]) => (at === place && Number.isFinite(v) ? v : []))),
      ),
      modules: [],
    })),
    isLinear: !y.isLog,
  };
}
