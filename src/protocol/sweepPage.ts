/** What of a sweep the panel is told: one argument, several values, each with several seeds. */
import type { Num } from "./report.ts";

export interface SweepShown {
  /** "pre_ln.py:PreLNTransformer". */
  readonly subject: string;
  /** The argument. */
  readonly axis: string;
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
