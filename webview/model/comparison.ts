/** Runs beside the first one: depth profiles in the same charts, modules by how far they differ. */
import {
  type ComparedPair,
  type ComparedRow,
  compareReports,
  difference,
} from "../../src/present/compareReports.ts";
import { formatNumber } from "../../src/present/number.ts";
import { stackSides } from "../../src/present/reportSide.ts";
import {
  type Cell,
  leftColumn,
  numberCell,
  rightColumn,
  type Table,
  textCell,
} from "../../src/present/table.ts";
import type { RunSummary, ShownRun } from "../../src/protocol/webview.ts";
import { t } from "../ui/strings.ts";
import { depthCharts, type LineChart } from "./lineChart.ts";

export interface ComparisonModel {
  readonly history: readonly RunSummary[];
  readonly shownIds: readonly string[];
  readonly names: readonly string[];
  /** One list of charts for each stack of blocks. */
  readonly stacks: readonly (readonly LineChart[])[];
  /** The first run with each of the others. */
  readonly pairs: readonly RunPair[];
}

export interface RunPair {
  readonly names: readonly [string, string];
  readonly loss: ComparedPair;
  readonly modules: readonly ComparedRow[];
  readonly parameters: readonly ComparedRow[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
}

export function comparisonModel(
  shown: readonly ShownRun[],
  history: readonly RunSummary[],
): ComparisonModel {
  const sides = shown.map(({ label, report }) => ({ name: label, report, files: [] }));
  const [base, ...others] = shown;
  return {
    history,
    shownIds: shown.map(({ summary }) => summary.id),
    names: shown.map(({ label }) => label),
    stacks: stackSides(sides).map((side) => [...depthCharts(side).values()]),
    pairs: base === undefined ? [] : others.map((other) => pairOf(base, other)),
  };
}

function pairOf(base: ShownRun, other: ShownRun): RunPair {
  const compared = compareReports(base.report, other.report);
  return {
    names: [base.label, other.label],
    loss: compared.loss,
    modules: farthestFirst(compared.modules),
    parameters: farthestFirst(compared.parameters),
    onlyA: compared.onlyA,
    onlyB: compared.onlyB,
  };
}

const farthestFirst = (rows: readonly ComparedRow[]): ComparedRow[] =>
  [...rows].sort((a, b) => difference(b) - difference(a));

export function pairTable(title: string, rows: readonly ComparedRow[], pair: RunPair): Table {
  const columns = (group: string) =>
    [...pair.names, t("ratio")].map((name) => rightColumn(name, group));
  return {
    title,
    columns: [leftColumn(""), ...columns(t("forward RMS")), ...columns(t("gradient RMS"))],
    rows: rows.map(({ path, forward, gradient }) => [
      textCell(path === "" ? t("(model)") : path),
      ...pairCells(forward),
      ...pairCells(gradient),
    ]),
  };
}

const pairCells = ({ a, b, logRatio }: ComparedPair): Cell[] => [
  numberCell(a),
  numberCell(b),
  logRatio === null
    ? numberCell(null)
    : { text: `×${formatNumber(10 ** logRatio)}`, value: 10 ** logRatio },
];
