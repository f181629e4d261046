/** A sweep as charts: medians over the seeds of each measure, along each axis of numbers. */
import { groupBy } from "../../src/present/groupBy.ts";
import { type AxisFit, choicesText, type SweepRow } from "../../src/present/sweep/results.ts";
import { slopeText } from "../../src/present/sweep/tables.ts";
import type { ChartLine, LineChart } from "./lineChart.ts";

/** A line for each setting of the other axes, with its exponent, and the theory's beside it. */
export function sweepCharts(rows: readonly SweepRow[], fits: readonly AxisFit[]): LineChart[] {
  const axes = Object.keys(rows[0]?.choices ?? {});
  const drawn = axes.filter((axis) => new Set(rows.map(({ choices }) => choices[axis])).size > 1);
  const measures = [...new Set(rows.flatMap((row) => Object.keys(row.measures)))];
  return drawn.flatMap((axis) => measures.map((measure) => chart(axis, measure, rows, fits)));
}

function chart(
  axis: string,
  measure: string,
  rows: readonly SweepRow[],
  fits: readonly AxisFit[],
): LineChart {
  const labels = [...new Set(rows.map(({ choices }) => choices[axis] ?? ""))];
  const others = ({ choices }: SweepRow): string =>
    choicesText(Object.fromEntries(Object.entries(choices).filter(([name]) => name !== axis)));
  const lines = Array.from(groupBy(rows, others), ([held, group]): ChartLine[] => {
    const medians = labels.map((label) => {
      const row = group.find(({ choices }) => choices[axis] === label);
      const median = row?.measures[measure]?.median ?? Number.NaN;
      return Number.isFinite(median) ? median : null;
    });
    const fit = fits.find(
      (it) => it.axis === axis && it.measure === measure && choicesText(it.others) === held,
    );
    const name = [held || measure, fit === undefined ? "" : slopeText(fit)];
    const line = { name: name.filter((it) => it !== "").join(": "), values: medians, modules: [] };
    return fit?.theory == null ? [line] : [line, theoryLine(labels, medians, fit.theory)];
  });
  return {
    title: `${measure} against ${axis}`,
    definition: "Median over the seeds; where there is an exponent, with its 95 % interval",
    across: axis,
    labels,
    lines: lines.flat(),
  };
}

/** Through the first median. */
function theoryLine(
  labels: readonly string[],
  medians: readonly (number | null)[],
  theory: number,
): ChartLine {
  const first = medians.findIndex((median) => median !== null);
  const [x0, y0] = [Number(labels[first]), medians[first] ?? Number.NaN];
  const values = labels.map((label) => y0 * (Number(label) / x0) ** theory);
  return { name: `theory: ${theory}`, values, modules: [] };
}
