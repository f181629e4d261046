/** What training asks of the worker that holds the runtime. */
import type { Numbers } from "../graph/tensor.ts";
import type { Device } from "../protocol/engine.ts";
import type { DeviceInfo } from "../protocol/report.ts";
import type { Feeds, TrainingModels } from "../runtime/training.ts";

export type TrainingQuestion =
  | {
      readonly kind: "open-training";
      readonly models: TrainingModels;
      readonly device: Device;
      readonly threads: number | null;
    }
  | {
      readonly kind: "train";
      readonly steps: readonly StepFeeds[];
      /** Values whose numbers must be finite: else the step is not taken, and no other follows. */
      readonly watched: readonly number[];
    }
  | { readonly kind: "training-state" }
  | { readonly kind: "close-training" };

export interface StepFeeds {
  readonly batches: readonly Feeds[];
  readonly coefficients: Feeds;
}

export interface TrainingAnswers {
  "open-training": { readonly device: DeviceInfo; readonly sessionMs: number };
  train: {
    /** Of every step that was run, the outputs of its runs. */
    readonly steps: readonly (readonly ReadonlyMap<number, Numbers>[])[];
    /** False: the last of them gave numbers that are not finite. */
    readonly isFinite: boolean;
  };
  "training-state": readonly Numbers[];
  "close-training": null;
}

export type TrainingAnswer<Q extends TrainingQuestion> = TrainingAnswers[Q["kind"]];
