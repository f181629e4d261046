/** What the runs of a sweep measured, grouped by setting: medians, ranges, exponents. */
import type { Num } from "../../protocol/report.ts";
import { groupBy } from "../groupBy.ts";
import { ascending, medianOf } from "../median.ts";
import { toNumber } from "../number.ts";

/** One run: what was chosen on each axis, by its text, and the seed. */
export interface SweepRun {
  readonly index: number;
  readonly choices: Readonly<Record<string, string>>;
  readonly seed: number;
}

export interface SweepResult {
  /** By name, in the order in which they are shown. */
  readonly measures: Readonly<Record<string, Num | null>>;
  /** "Pre-LN", "Post-LN": what the theory's line depends on. */
  readonly placement: string | null;
}

export interface SweepOutcome {
  readonly run: SweepRun;
  /** null: it failed, or is still to come. */
  readonly result: SweepResult | null;
}

/** All seeds of one setting. */
export interface SweepRow {
  readonly choices: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, Spread>>;
  readonly placement: string | null;
  /** Runs that gave numbers, of all. */
  readonly done: number;
  readonly all: number;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly values: readonly number[];
}

export const choicesText = (choices: Readonly<Record<string, string>>): string =>
  Object.entries(choices)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");

export function sweepRows(outcomes: readonly SweepOutcome[]): SweepRow[] {
  const groups = groupBy(outcomes, ({ run }) => choicesText(run.choices));
  return Array.from(groups.values(), (group): SweepRow => {
    const results = group.flatMap(({ result }) => result ?? []);
    const names = [...new Set(results.flatMap(({ measures }) => Object.keys(measures)))];
    return {
      choices: group[0]?.run.choices ?? {},
      measures: Object.fromEntries(
        names.map((name) => [
          name,
          spreadOf(results.map(({ measures }) => measures[name] ?? null)),
        ]),
      ),
      placement: results[0]?.placement ?? null,
      done: results.length,
      all: group.length,
    };
  });
}

function spreadOf(nums: readonly (Num | null)[]): Spread {
  const values = nums.filter((num) => num !== null).map(toNumber);
  const sorted = values.toSorted(ascending);
  return {
    median: medianOf(values) ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
    values,
  };
}

export interface Fit {
  /** Of log y on log x. */
  readonly slope: number;
  /** Half of the 95 % interval, from how the points lie about the line; null: too few points. */
  readonly halfInterval: number | null;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Least squares in logarithms through every value of every seed. null: fewer than three places. */
export function fitPower(points: readonly (readonly [x: number, y: number])[]): Fit | null {
  const logs = points
    .filter(([x, y]) => x > 0 && y > 0 && Number.isFinite(y))
    .map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  if (new Set(logs.map(([x]) => x)).size < 3) return null;
  const n = logs.length;
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / n;
  const sxx = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / sxx;
  const left = logs.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const halfInterval = n < 3 ? null : studentT(n - 2) * Math.sqrt(left / (n - 2) / sxx);
  return { slope, halfInterval, points };
}

/** The 97.5 % quantile of Student's t: exact for few degrees of freedom, then Cornish and Fisher's. */
function studentT(freedom: number): number {
  const few = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
  const known = few[freedom - 1];
  if (known !== undefined) return known;
  const z = 1.959964;
  return (
    z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
  );
}

export interface AxisFit extends Fit {
  readonly axis: string;
  readonly measure: string;
  /** What all other axes are held at. */
  readonly others: Readonly<Record<string, string>>;
  readonly theory: number | null;
}

/** For each axis of numbers and each measure: the exponent, the other axes held fixed. */
export function axisFits(rows: readonly SweepRow[]): AxisFit[] {
  const axes = Object.keys(rows[0]?.choices ?? {});
  return axes.flatMap((axis) => {
    const without = (row: SweepRow) =>
      Object.fromEntries(Object.entries(row.choices).filter(([name]) => name !== axis));
    const groups = groupBy(rows, (row) => choicesText(without(row)));
    return Array.from(groups.values()).flatMap((group): AxisFit[] => {
      const [first] = group;
      if (first === undefined) return [];
      return Object.keys(first.measures).flatMap((measure): AxisFit[] => {
        const points = group.flatMap((row) => {
          const x = Number(row.choices[axis]);
          return (row.measures[measure]?.values ?? []).map((y) => [x, y] as const);
        });
        const fit = points.some(([x]) => !Number.isFinite(x)) ? null : fitPower(points);
        if (fit === null) return [];
        const theory = theoryOf(axis, measure, first.placement);
        return [{ ...fit, axis, measure, others: without(first), theory }];
      });
    });
  });
}

const depthNames = /^(n_layers?|num_layers|num_hidden_layers|depth|layers)$/i;

/**
 * Exponents over depth at initialisation: Xiong et al. 2020, theorem 1 and lemma 2,
 * https://arxiv.org/abs/2002.04745. Post-LN: neither depends on depth.
 */
function theoryOf(axis: string, measure: string, placement: string | null): number | null {
  if (!depthNames.test(axis) || placement === null) return null;
  const isPre = /pre/i.test(placement);
  if (!isPre && !/post/i.test(placement)) return null;
  if (measure.startsWith("FFN weight gradient, last")) return isPre ? -0.5 : 0;
  if (measure.startsWith("residual stream RMS, last")) return isPre ? 0.5 : 0;
  return null;
}
