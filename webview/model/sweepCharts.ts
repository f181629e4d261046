/** A sweep over one argument as charts: the median over the seeds of each measure. */
import type { SweepRow } from "../../src/present/sweep/results.ts";
import type { LineChart } from "./lineChart.ts";

export function sweepCharts(axis: string, rows: readonly SweepRow[]): LineChart[] {
  const names = [...new Set(rows.flatMap(({ measures }) => Object.keys(measures)))];
  return names.map((name): LineChart => {
    const values = rows.map(({ measures }) => {
      const median = measures[name]?.median ?? Number.NaN;
      return Number.isFinite(median) ? median : null;
    });
    return {
      title: `${name} against ${axis}`,
      definition: "Median over the seeds",
      across: axis,
      labels: rows.map(({ choices }) => choices[axis] ?? ""),
      lines: [{ name, values, modules: [] }],
    };
  });
}
