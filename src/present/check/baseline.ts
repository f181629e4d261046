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
}

/** Without its line, which moves with every edit above it. */
export interface KnownFinding {
  readonly code: string;
  readonly file: string | null;
  readonly module: string | null;
}

/** Relative; also absolute for numbers whose size is below one millionth of the largest of their kind. */
export interface Tolerances {
  readonly loss: number;
  readonly forward: number;
  readonly gradient: number;
}

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

const pairOf = (forward: Stats | null, gradient: Stats | null): Pair => ({
  forward: forward?.rms ?? null,
  gradient: gradient?.rms ?? null,
});

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
  return (["forward", "gradient"] as const).flatMap((statistic) => {
    const sizes = Object.values(was).map((pair) => Math.abs(toNumber(pair[statistic] ?? 0)));
    const floor = 1e-6 * Math.max(0, ...sizes.filter(Number.isFinite));
    return names.flatMap((name) => {
      const [before, after] = [was[name]?.[statistic] ?? null, is[name]?.[statistic] ?? null];
      return drift(statistic, name, before, after, tolerances[statistic], floor);
    });
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

/** The findings that the baseline does not know; each known one stands for one. */
export function newFindings(
  findings: readonly Finding[],
  known: readonly KnownFinding[],
): Finding[] {
  const left = known.map(keyOf);
  return findings.filter((finding) => {
    const at = left.indexOf(keyOf(finding));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

const keyOf = ({ code, file, module }: KnownFinding): string =>
  JSON.stringify([code, file, module]);

/** Whether parsed JSON is a baseline. */
export const isBaseline = (data: unknown): data is Baseline =>
  typeof data === "object" &&
  data !== null &&
  "schema" in data &&
  data.schema === 1 &&
  ["modules", "parameters", "findings"].every((key) => {
    const part: unknown = (data as Record<string, unknown>)[key];
    return typeof part === "object" && part !== null;
  });
