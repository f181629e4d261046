/** What rules about a run of training look at. */
import { invariant } from "../errors.ts";
import type { Finding, Num } from "../protocol/report.ts";
import type { TrainReport, TrainStep } from "../protocol/training.ts";
import { fromNum } from "../stats/moments.ts";
import type { Limits } from "./limits.ts";
import { median } from "./stacks.ts";

export interface SourcePlace {
  readonly file: string | null;
  readonly line: number | null;
}

export type TrainedRun = Pick<TrainReport, "layers" | "steps" | "settings" | "end" | "reference">;

export interface TrainedEvidence {
  readonly run: TrainedRun;
  readonly limits: Limits;
  /** Classes of the only cross-entropy that the loss is made of; null: it is another loss. */
  readonly classes: number | null;
  /** The last line of the user's own files before the loss. */
  readonly lossPlace: SourcePlace;
  /** Where a layer of the run, or the module of another path, is made. */
  placeOf(layer: string): SourcePlace;
}

export type TrainedRule = (evidence: TrainedEvidence) => Finding[];

export const lossesOf = (steps: readonly TrainStep[]): number[] =>
  steps.map(({ loss }) => fromNum(loss));

export const finite = (nums: readonly Num[]): number[] =>
  nums.map(fromNum).filter((num) => Number.isFinite(num));

/** Of the steps before position `at`, up to `count` of them. */
export function medianBefore(numbers: readonly number[], at: number, count: number): number {
  invariant(at > 0, "there are steps before");
  return median(numbers.slice(Math.max(0, at - count), at).filter(Number.isFinite));
}
