/** A sweep as tables and plots. */
import { formatNumber } from "../number.ts";
import type { Plot } from "../plot.ts";
import { leftColumn, rightColumn, type Table, textCell } from "../table.ts";
import { type AxisFit, choicesText, type SweepRow } from "./results.ts";

/** One row a setting: median and range of every measure. */
export function sweepTable(rows: readonly SweepRow[]): Table {
  const axes = Object.keys(rows[0]?.choices ?? {});
  const measures = [...new Set(rows.flatMap((row) => Object.keys(row.measures)))];
  return {
    title: "Median, least to most over the seeds",
    columns: [
      ...axes.map(leftColumn),
      rightColumn("runs"),
      ...measures.map((name) => rightColumn(name)),
    ],
    rows: rows.map((row) => [
      ...axes.map((axis) => textCell(row.choices[axis] ?? "")),
      textCell(`${row.done}/${row.all}`, row.done === row.all ? "dim" : "warning"),
      ...measures.map((name) => {
        const it = row.measures[name];
        if (it === undefined || it.values.length === 0) return textCell("–", "dim");
        const range =
          it.values.length > 1 ? `  ${formatNumber(it.least)}…${formatNumber(it.most)}` : "";
        return textCell(`${formatNumber(it.median)}${range}`);
      }),
    ]),
  };
}

/** "-0.46 ± 0.05". */
export const slopeText = ({ slope, halfInterval }: Pick<AxisFit, "slope" | "halfInterval">) =>
  `${slope.toFixed(2)}${halfInterval === null ? "" : ` ± ${halfInterval.toFixed(2)}`}`;

export const fitTable = (fits: readonly AxisFit[]): Table => ({
  title: "Exponents: y ~ axis^slope, with the 95 % interval",
  columns: [
    leftColumn("axis"),
    leftColumn("measure"),
    leftColumn("with"),
    rightColumn("slope"),
    rightColumn("theory"),
  ],
  rows: fits.map((fit) => [
    textCell(fit.axis),
    textCell(fit.measure),
    textCell(choicesText(fit.others)),
    textCell(slopeText(fit)),
    textCell(fit.theory === null ? "" : String(fit.theory)),
  ]),
});

/** All settings of the other axes in one plot, and the theory's slope through each first point. */
export function fitPlots(fits: readonly AxisFit[]): Plot[] {
  const keys = [...new Set(fits.map(({ axis, measure }) => `${measure} against ${axis}`))];
  return keys.map((title): Plot => {
    const own = fits.filter(({ axis, measure }) => `${measure} against ${axis}` === title);
    return {
      title,
      definition: "Every seed; dashed: the theory's exponent through the first point",
      x: { label: own[0]?.axis ?? "", isLog: true },
      y: { label: own[0]?.measure ?? "", isLog: true },
      lines: own.flatMap((fit) => {
        const name = `${choicesText(fit.others) || fit.measure}: ${slopeText(fit)}`;
        const line = { name, points: fit.points.toSorted(([a], [b]) => a - b) };
        return fit.theory === null ? [line] : [line, theoryLine(fit, fit.theory)];
      }),
    };
  });
}

function theoryLine({ points }: AxisFit, theory: number) {
  const sorted = points.toSorted(([a], [b]) => a - b);
  const [x0 = 1] = sorted[0] ?? [];
  const first = sorted.filter(([x]) => x === x0).map(([, y]) => Math.log(y));
  const level = first.reduce((sum, y) => sum + y, 0) / first.length;
  const places = [...new Set(sorted.map(([x]) => x))];
  return {
    name: `theory: ${theory}`,
    isReference: true,
    points: places.map((x) => [x, Math.exp(level + theory * Math.log(x / x0))] as const),
  };
}
