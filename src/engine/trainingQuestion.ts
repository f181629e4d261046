/** What training asks of the worker that holds the runtime. */
import type { Numbers } from "../graph/tensor.ts";
import type { Device } from "../protocol/engine.ts";
import type { DeviceInfo } from "../protocol/report.ts";
import type { Provider } from "../runtime/provider.ts";
import type { StepFeeds, StepsTaken, TrainingModels } from "../runtime/training.ts";

export type TrainingQuestion =
  /** What a device comes to here. */
  | { readonly kind: "training-provider"; readonly device: Device }
  | {
      readonly kind: "open-training";
      readonly models: TrainingModels;
      readonly device: Device;
      readonly threads: number | null;
    }
  | {
      readonly kind: "train";
      readonly steps: readonly StepFeeds[];
      /** See TrainingSession. */
      readonly watched: readonly number[];
    }
  | { readonly kind: "training-state" }
  | { readonly kind: "close-training" };

export interface TrainingAnswers {
  "training-provider": Provider;
  "open-training": { readonly device: DeviceInfo; readonly sessionMs: number };
  train: StepsTaken;
  "training-state": readonly Numbers[];
  "close-training": null;
}

export type TrainingAnswer<Q extends TrainingQuestion> = TrainingAnswers[Q["kind"]];
