/** What a run should give again, and what another run gives differently. */
import type { Finding, Num, RunReport, Stats } from "../../protocol/report.ts";
import { toNumber } from "../number.ts";

/** A file to commit: schema 1. */
export interface Baseline {
  readonly schema: 1;
  readonly model: string;
  readonly loss: Num;
  /** By module path, the RMS of the first output of the last call and of its gradient. */
  readonly modules: Readonly<Record<string, Pair>>;
  /** By name, the RMS of the parameter and of its gradient. */
  readonly parameters: Readonly<Record<string, Pair>>;
  readonly findings: readonly KnownFinding[];
}

export interface Pair {
  readonly forward: Num | null;
  readonly gradient: Num | null;
  /** Other statistics of both; absent in files of versions that had none. */
  readonly others?: Readonly<Partial<Record<OtherStatistic, Num | null>>>;
}

const measures = { mean: "mean", std: "std", max: "absMax", zeros: "zeroFraction" } as const;
type Measure = keyof typeof measures;
const sides = ["forward", "gradient"] as const;
type OtherStatistic = `${(typeof sides)[number]}.${Measure}`;
const otherStatistics = sides.flatMap((side) =>
  (Object.keys(measures) as Measure[]).map((measure): OtherStatistic => `${side}.${measure}`),
);

/** Without its line, which moves with every edit above it. */
export interface KnownFinding {
  readonly code: string;
  readonly file: string | null;
  readonly module: string | null;
}

/**
 * Relative; also absolute for numbers whose size is below one millionth of the largest of their kind.
 * `forward` and `gradient` are of the RMS and, where none of its own is given, of every other statistic
 * of that side: means relative to the RMS, shares of zeros absolute.
 */
export interface Tolerances extends Readonly<Partial<Record<OtherStatistic, number>>> {
  readonly loss: number;
  readonly forward: number;
  readonly gradient: number;
}

/** What a tolerance can be given for. */
export const statisticNames: readonly string[] = ["loss", ...sides, ...otherStatistics];

export const defaultTolerances: Tolerances = { loss: 1e-3, forward: 1e-3, gradient: 1e-2 };

export interface Drift {
  readonly statistic: keyof Tolerances;
  /** Module, parameter, or "loss". */
  readonly name: string;
  readonly was: Num | null;
  readonly is: Num | null;
  /** null: one of both is missing or not finite. */
  readonly relative: number | null;
  readonly tolerance: number;
}

export function makeBaseline(report: RunReport, model: string): Baseline {
  const modules = report.modules.map(({ path, calls }): [string, Pair] => {
    const last = calls.at(-1);
    return [path, pairOf(last?.activation[0] ?? null, last?.gradient[0] ?? null)];
  });
  const parameters = report.parameters.map(({ name, value, gradient }): [string, Pair] => [
    name,
    pairOf(value, gradient),
  ]);
  return {
    schema: 1,
    model,
    loss: report.loss,
    modules: Object.fromEntries(modules),
    parameters: Object.fromEntries(parameters),
    findings: report.findings.map(({ code, file, module }) => ({ code, file, module })),
  };
}

/** How many numbers a baseline holds. */
export const statisticsIn = ({ modules, parameters }: Baseline): number =>
  [...Object.values(modules), ...Object.values(parameters)].reduce(
    (sum, { others = {} }) => sum + sides.length + Object.keys(others).length,
    1,
  );

const pairOf = (forward: Stats | null, gradient: Stats | null): Pair => {
  const of = { forward, gradient };
  const others = otherStatistics.map((name) => {
    const [side, measure] = name.split(".") as [keyof typeof of, Measure];
    return [name, of[side]?.[measures[measure]] ?? null] as const;
  });
  return {
    forward: forward?.rms ?? null,
    gradient: gradient?.rms ?? null,
    others: Object.fromEntries(others),
  };
};

export function driftFrom(was: Baseline, is: Baseline, tolerances: Tolerances): Drift[] {
  return [
    ...drift("loss", "loss", was.loss, is.loss, tolerances.loss, 0),
    ...driftOf(was.modules, is.modules, tolerances),
    ...driftOf(was.parameters, is.parameters, tolerances),
  ];
}

function driftOf(
  was: Readonly<Record<string, Pair>>,
  is: Readonly<Record<string, Pair>>,
  tolerances: Tolerances,
): Drift[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return sides.flatMap((side) => {
    const sizes = Object.values(was).map((pair) => Math.abs(toNumber(pair[side] ?? 0)));
    const floor = 1e-6 * Math.max(0, ...sizes.filter(Number.isFinite));
    return names.flatMap((name) => {
      const [before, after] = [was[name], is[name]];
      const own = drift(
        ...([side, name, before?.[side] ?? null, after?.[side] ?? null] as const),
        ...([tolerances[side], floor] as const),
      );
      // One line for a value whose size has changed.
      return own.length > 0 ? own : driftOfOthers(side, name, before, after, tolerances, floor);
    });
  });
}

function driftOfOthers(
  side: (typeof sides)[number],
  name: string,
  was: Pair | undefined,
  is: Pair | undefined,
  tolerances: Tolerances,
  floor: number,
): Drift[] {
  return otherStatistics
    .filter((statistic) => statistic.startsWith(side))
    .flatMap((statistic) => {
      const [before, after] = [was?.others?.[statistic], is?.others?.[statistic]];
      if (before === undefined || after === undefined) return [];
      const tolerance = tolerances[statistic] ?? tolerances[side];
      const rms = toNumber(was?.[side] ?? 0);
      const size = statistic.endsWith("zeros") ? 1 : statistic.endsWith("mean") ? rms : 0;
      const absolute = Number.isFinite(size) ? tolerance * size : 0;
      return drift(statistic, name, before, after, tolerance, floor + absolute);
    });
}

function drift(
  statistic: keyof Tolerances,
  name: string,
  was: Num | null,
  is: Num | null,
  tolerance: number,
  floor: number,
): Drift[] {
  if (was === is) return [];
  const [before, after] = [was, is].map((num) => (num === null ? Number.NaN : toNumber(num)));
  const difference = Math.abs((after ?? 0) - (before ?? 0));
  if (difference <= tolerance * Math.abs(before ?? 0) + floor) return [];
  const relative = difference / Math.abs(before ?? 0);
  const told = Number.isFinite(relative) ? relative : null;
  return [{ statistic, name, was, is, relative: told, tolerance }];
}

/**
 * The findings that the baseline does not know; each known one stands for one. One of a file that is
 * not among `files`, those of this run, is taken for the same in another file: it was renamed.
 */
export function newFindings(
  findings: readonly Finding[],
  known: readonly KnownFinding[],
  files: readonly string[] = [],
): Finding[] {
  const fresh = withoutKnown(findings, known, keyOf);
  const old = new Set(withoutKnown(known, findings, keyOf));
  const gone = known.filter((one) => old.has(one) && one.file && !files.includes(one.file));
  return withoutKnown(fresh, gone, ({ code, module }) => JSON.stringify([code, module]));
}

/** Those of `some` that have none of `others` of their own with the same key. */
function withoutKnown<One extends KnownFinding>(
  some: readonly One[],
  others: readonly KnownFinding[],
  key: (of: KnownFinding) => string,
): One[] {
  const left = others.map(key);
  return some.filter((one) => {
    const at = left.indexOf(key(one));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

const keyOf = ({ code, file, module }: KnownFinding): string =>
  JSON.stringify([code, file, module]);

/** What of parsed JSON is no baseline; null: nothing. */
export function baselineFault(data: unknown): string | null {
  if (typeof data !== "object" || data === null) return "holds no object";
  const { schema, ...parts } = data as Readonly<Record<string, unknown>>;
  if (schema !== 1)
    return `has the schema ${JSON.stringify(schema) ?? "of nothing"}, and 1 is needed`;
  const missing = ["modules", "parameters", "findings"].find((key) => {
    const part = parts[key];
    return typeof part !== "object" || part === null;
  });
  return missing === undefined ? null : `has no ${missing}`;
}
