/** What of a sweep crosses between the extension and the panel's page for it. */
import * as v from "valibot";
import type { Num } from "./report.ts";

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));

export const sweepAxis = v.strictObject({
  /** An argument of the constructor, or a setting of training. */
  name,
  /** Literals of Python, or bare words. */
  values: v.pipe(v.array(name), v.minLength(1), v.maxLength(100)),
});

export const maxSeeds = 100;

/** What is swept over, and when it is measured. */
export const sweepChoice = v.strictObject({
  axes: v.pipe(v.array(sweepAxis), v.minLength(1), v.maxLength(8)),
  /** From that of the configuration on. */
  seeds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxSeeds)),
  /** At initialisation, or after training. */
  measure: v.picklist(["init", "train"]),
});
export type SweepChoice = v.InferOutput<typeof sweepChoice>;

export interface SweepShown {
  /** "pre_ln.py:PreLNTransformer". */
  readonly subject: string;
  readonly axes: readonly string[];
  readonly measure: SweepChoice["measure"];
  readonly outcomes: readonly SweepRunShown[];
  /** What went wrong with single runs. */
  readonly failures: readonly string[];
  readonly isRunning: boolean;
}

export interface SweepRunShown {
  readonly run: {
    readonly index: number;
    readonly choices: Readonly<Record<string, string>>;
    readonly seed: number;
  };
  /** null: it failed, or is still to come. */
  readonly result: {
    readonly measures: Readonly<Record<string, Num | null>>;
    readonly placement: string | null;
  } | null;
}

/** Runs that gave no numbers yet: a sweep that stands still can go on with them. */
export const openRuns = ({ outcomes }: SweepShown): number =>
  outcomes.filter(({ result }) => result === null).length;
