/** The numbers of a file's lines: each line shows its outermost expression, folded over layers. */
import type { Num, RunReport, Stats, ValueReport } from "../protocol/report.ts";
import { groupBy } from "./groupBy.ts";
import { formatNonFinite, formatNumber, type NonFinite } from "./number.ts";
import { sparkline } from "./sparkline.ts";

export interface LineNote {
  /** One-based. */
  readonly line: number;
  readonly forward: Fold;
  /** null where no pass of the line received a gradient. */
  readonly gradient: Fold | null;
  /** How often the line ran. */
  readonly passes: number;
  /** Entries of the line's outermost value that are not finite: "3 NaN"; empty where all are. */
  readonly nonFinite: string;
  /** All of it in one line: `→ 1.0…3.4 ▁▂▃▅▇  ← 2.0e-3…1.0e-3 ▇▅▃▂▁  ×12`. */
  readonly text: string;
}

/** One number a pass, in the order of the passes. */
export interface Fold {
  readonly rms: readonly (Num | null)[];
  /** The only number, or `first…last`. */
  readonly range: string;
  /** Empty for a single pass. */
  readonly spark: string;
}

export function lineNotes(report: RunReport, file: string): LineNote[] {
  const inFile = report.values.filter((value) => value.file === file);
  const byLine = groupBy(inFile, ({ line }) => line);
  return Array.from(byLine, ([line, values]) => note(line, outermost(values))).sort(
    (a, b) => a.line - b.line,
  );
}

/** Values of one operation on one line: one a layer, a call, or a turn of a loop. */
export const valuesByOperation = (values: readonly ValueReport[]): ValueReport[][] => [
  ...groupBy(values, (value) => `${expression(value)} ${template(value.module)}`).values(),
];

/**
 * What the outermost expression of a line gave, of all values of the line: it is finished last. All
 * passes are in it, whichever module ran the line: a class may be used in several places.
 */
export function outermost(values: readonly ValueReport[]): ValueReport[] {
  const last = values.at(-1);
  return last === undefined ? [] : values.filter((value) => expression(value) === expression(last));
}

const expression = ({ column, endLine, endColumn, op, output }: ValueReport): string =>
  [column, endLine, endColumn, op, output].join(" ");

/** A module path without the positions in lists: the same for every layer of a stack. */
const template = (path: string | null): string =>
  path === null ? "" : path.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, "*");

function note(line: number, values: readonly ValueReport[]): LineNote {
  const passes = values.length;
  const forward = fold(values.map(({ activation }) => activation));
  const received = values.some(({ gradient }) => gradient !== null);
  const gradient = received ? fold(values.map((value) => value.gradient)) : null;
  const nonFinite = formatNonFinite(countNonFinite(values));
  const parts = [
    `→ ${joined(forward)}`,
    gradient === null ? "" : `← ${joined(gradient)}`,
    passes > 1 ? `×${passes}` : "",
    nonFinite,
  ];
  const text = parts.filter((part) => part !== "").join("  ");
  return { line, forward, gradient, passes, nonFinite, text };
}

export const joined = ({ range, spark }: Fold): string =>
  spark === "" ? range : `${range} ${spark}`;

export function fold(stats: readonly (Stats | null)[], width = 12): Fold {
  const rms = stats.map((it) => it?.rms ?? null);
  const known = rms.filter((num) => num !== null);
  const [first, last] = [known.at(0), known.at(-1)].map((num) =>
    num === undefined ? "–" : formatNumber(num, { digits: 2 }),
  );
  const range = first === last || first === undefined ? `${first}` : `${first}…${last}`;
  return { rms, range, spark: rms.length > 1 ? sparkline(rms, width) : "" };
}

/** Entries of all values together that are not finite. */
function countNonFinite(values: readonly ValueReport[]): NonFinite {
  const sum = (kind: keyof NonFinite) =>
    values.reduce((total, { activation }) => total + activation[kind], 0);
  return { nan: sum("nan"), posInf: sum("posInf"), negInf: sum("negInf") };
}
