/** Lines over depth: what a chart draws and its table says. */
import { formatNumber } from "../../src/present/number.ts";
import type { StackSide } from "../../src/present/reportSide.ts";
import {
  leftColumn,
  numberCell,
  rightColumn,
  type Table,
  textCell,
} from "../../src/present/table.ts";
import type { Num } from "../../src/protocol/report.ts";
import { t } from "../ui/strings.ts";
import { depthLabel } from "./depthLabels.ts";

export interface LineChart {
  readonly title: string;
  /** What is drawn, in one sentence. */
  readonly definition: string;
  /** What a position is called: "block". */
  readonly across: string;
  readonly labels: readonly string[];
  readonly lines: readonly ChartLine[];
  /** The axis of the numbers has even steps; else those of a logarithm. */
  readonly isLinear?: boolean;
}

export interface ChartLine {
  readonly name: string;
  readonly values: readonly (Num | null)[];
  /** Modules at the positions, for a click; empty where there are none. */
  readonly modules: readonly string[];
}

/** One chart for each series that any of the sides has. */
export function depthCharts(sides: readonly StackSide[]): Map<string, LineChart> {
  const labels = sides
    .map(({ profile }) => profile.labels)
    .reduce<readonly string[]>((most, own) => (own.length > most.length ? own : most), []);
  const charts = new Map<string, LineChart>();
  for (const series of sides.flatMap(({ profile }) => profile.series)) {
    if (charts.has(series.id)) continue;
    charts.set(series.id, {
      title: depthLabel(series.label),
      definition: depthLabel(series.definition),
      across: t("block"),
      labels,
      lines: sides.flatMap(({ name, profile }) =>
        profile.series
          .filter(({ id }) => id === series.id)
          .map(({ values }): ChartLine => {
            const { stack } = profile;
            const modules = profile.labels.map((it) => (stack === "" ? it : `${stack}.${it}`));
            return { name, values, modules };
          }),
      ),
    });
  }
  return charts;
}

export const chartTable = ({ title, across, labels, lines }: LineChart): Table => ({
  title,
  columns: [leftColumn(across), ...lines.map(({ name }) => rightColumn(name))],
  rows: labels.map((label, i) => [
    textCell(label),
    ...lines.map(({ values }) => numberCell(values[i] ?? null)),
  ]),
});

/** "Pre-LN: 1.45 → 2.32": the chart for who does not see it. */
export const chartSummary = ({ lines }: LineChart): string =>
  lines
    .map(({ name, values }) => {
      const known = values.filter((num) => num !== null);
      const [first, last] = [known.at(0), known.at(-1)];
      if (first === undefined || last === undefined) return `${name}: –`;
      return `${name}: ${formatNumber(first)} → ${formatNumber(last)}`;
    })
    .join("; ");
