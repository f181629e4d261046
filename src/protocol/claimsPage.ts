/** The published claims, run live: what is expected, what was measured, and what the panel is told. */
import type { Plot } from "./plot.ts";
import type { Num } from "./report.ts";

/** What is run together, by the names that `--only` takes. */
export const experimentNames = ["depth", "layers", "warm-up", "final-loss", "rmsnorm"] as const;
export type ExperimentName = (typeof experimentNames)[number];

export interface ClaimResult {
  readonly id: string;
  readonly title: string;
  /** The paper, and where the expected numbers are from. */
  readonly source: string;
  /** What was run. */
  readonly setting: string;
  readonly numbers: readonly ClaimNumber[];
  readonly plots: readonly Plot[];
  /** What the numbers say, and what they do not. */
  readonly text: string;
  readonly seconds: number;
}

export interface ClaimNumber {
  readonly name: string;
  /** "-0.46 ± 0.05". */
  readonly expected: string;
  /** Where real PyTorch's seeds lie, null for no limit; null as a whole: it is only told. */
  readonly range: readonly [least: number, most: number | null] | null;
  readonly measured: Num;
}

export interface ClaimsShown {
  /** Of each experiment that was run: what it gave last. */
  readonly results: Readonly<Partial<Record<ExperimentName, readonly ClaimResult[]>>>;
  /** The one that runs now, and how many of its models were run. */
  readonly running: { readonly name: ExperimentName; readonly done: number } | null;
}

export const noClaims: ClaimsShown = { results: {}, running: null };
