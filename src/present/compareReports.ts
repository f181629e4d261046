/** Two reports, aligned by the names that both have. */
import type { Num, RunReport, Stats } from "../protocol/report.ts";
import { formatNumber, toNumber } from "./number.ts";
import { type Cell, leftColumn, numberCell, rightColumn, type Table, textCell } from "./table.ts";

export interface Comparison {
  /** Modules of both, by path, in the order of the first report; numbers of their last call. */
  readonly modules: readonly ComparedRow[];
  readonly parameters: readonly ComparedRow[];
  /** Modules of one report only. */
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly loss: ComparedPair;
}

export interface ComparedRow {
  readonly path: string;
  /** RMS of the output, or of the parameter. */
  readonly forward: ComparedPair;
  /** RMS of its gradient. */
  readonly gradient: ComparedPair;
}

export interface ComparedPair {
  readonly a: Num | null;
  readonly b: Num | null;
  /** log₁₀(b / a); null unless both are positive and finite. */
  readonly logRatio: number | null;
}

export function compareReports(a: RunReport, b: RunReport): Comparison {
  const modulesOf = (report: RunReport) =>
    report.modules.map(({ path, calls }): Named => {
      const last = calls.at(-1);
      return { path, forward: last?.activation[0] ?? null, gradient: last?.gradient[0] ?? null };
    });
  const parametersOf = (report: RunReport) =>
    report.parameters.map(
      ({ name, value, gradient }): Named => ({ path: name, forward: value, gradient }),
    );
  const [modulesA, modulesB] = [modulesOf(a), modulesOf(b)];
  return {
    modules: align(modulesA, modulesB),
    parameters: align(parametersOf(a), parametersOf(b)),
    onlyA: missingFrom(modulesB, modulesA),
    onlyB: missingFrom(modulesA, modulesB),
    loss: pair(a.loss, b.loss),
  };
}

interface Named {
  readonly path: string;
  readonly forward: Stats | null;
  readonly gradient: Stats | null;
}

function align(as: readonly Named[], bs: readonly Named[]): ComparedRow[] {
  const byPath = new Map(bs.map((it) => [it.path, it]));
  return as.flatMap((a) => {
    const b = byPath.get(a.path);
    if (b === undefined) return [];
    return {
      path: a.path,
      forward: pair(a.forward?.rms ?? null, b.forward?.rms ?? null),
      gradient: pair(a.gradient?.rms ?? null, b.gradient?.rms ?? null),
    };
  });
}

const missingFrom = (there: readonly Named[], here: readonly Named[]): string[] => {
  const known = new Set(there.map(({ path }) => path));
  return here.map(({ path }) => path).filter((path) => !known.has(path));
};

function pair(a: Num | null, b: Num | null): ComparedPair {
  const ratio = a === null || b === null ? Number.NaN : toNumber(b) / toNumber(a);
  const isPositive = ratio > 0 && Number.isFinite(ratio);
  return { a, b, logRatio: isPositive ? Math.log10(ratio) : null };
}

/** The modules that differ most, at most `limit` of them. */
export function differenceTable(
  comparison: Comparison,
  [nameA, nameB]: readonly [string, string],
  limit: number,
): Table {
  const rows = comparison.modules
    .filter((it) => difference(it) > 0)
    .sort((a, b) => difference(b) - difference(a))
    .slice(0, limit);
  const pairColumns = (group: string) =>
    [nameA, nameB, "ratio"].map((label) => rightColumn(label, group));
  return {
    title: "modules that differ most",
    columns: [leftColumn("module"), ...pairColumns("forward RMS"), ...pairColumns("gradient RMS")],
    rows: rows.map(({ path, forward, gradient }) => [
      textCell(path === "" ? "(model)" : path),
      ...pairCells(forward),
      ...pairCells(gradient),
    ]),
  };
}

const pairCells = ({ a, b, logRatio }: ComparedPair): Cell[] => [
  numberCell(a),
  numberCell(b),
  logRatio === null ? numberCell(null) : textCell(`×${formatNumber(10 ** logRatio)}`),
];

/** How far apart two numbers are: what cannot be a ratio comes first. */
export const difference = ({ forward, gradient }: ComparedRow): number =>
  Math.max(...[forward, gradient].map(distance));

function distance({ a, b, logRatio }: ComparedPair): number {
  if (logRatio !== null) return Math.abs(logRatio);
  return a === b ? 0 : Number.POSITIVE_INFINITY;
}
