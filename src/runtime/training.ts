/** The graphs of a training step, run again and again: what a step writes is what the next one reads. */
import { invariant } from "../errors.ts";
import type { EncodedModel } from "../graph/encode.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { Provider } from "./provider.ts";
import { type LoopModel, openLoop } from "./trainingLoop.ts";
import {
  createSlots,
  type Feeds,
  openRunner,
  type Results,
  type RunnerOptions,
  type StateSlot,
} from "./trainingParts.ts";
import { areFinite } from "./watched.ts";

export interface TrainingModels {
  readonly step: EncodedModel;
  /** null: `step` has the update. */
  readonly update: EncodedModel | null;
  readonly state: readonly StateSlot[];
  /** Written by `step`, read by `update`, and zero at the beginning of every step. */
  readonly accumulators: readonly StateSlot[];
  /** Several steps as one graph, in place of `step` and `update`; null: a step is a run. */
  readonly loop: LoopModel | null;
}

export interface StepFeeds {
  readonly batches: readonly Feeds[];
  readonly coefficients: Feeds;
}

export interface StepsTaken {
  /** Of every step that was run, the outputs of its batches, then of its update, by value id. */
  readonly steps: readonly (readonly Results[])[];
  /** False: the last of them gave numbers that are not finite. */
  readonly isFinite: boolean;
}

export interface TrainingSession {
  /**
   * Takes one step after another. One of whose `watched` values is not finite is not taken: the
   * state is the one before it, and no other follows.
   */
  take(steps: readonly StepFeeds[], watched: readonly number[]): Promise<StepsTaken>;
  /** Numbers of the state, in the order of the slots. */
  state(): Numbers[];
  release(): Promise<void>;
}

export async function openTraining(
  models: TrainingModels,
  provider: Provider,
  options: RunnerOptions,
): Promise<TrainingSession> {
  if (models.loop !== null) return openLoop(models.loop, models.state, provider, options);
  const state = createSlots(models.state);
  const sums = createSlots(models.accumulators);
  const step = await openRunner(models.step, provider, options);
  const update = models.update && (await openRunner(models.update, provider, options));

  async function run({ batches, coefficients }: StepFeeds): Promise<Results[]> {
    const results: Results[] = [];
    if (update === null) {
      invariant(batches.length === 1, "one batch makes one update");
      const feeds = new Map([...(batches[0] ?? []), ...coefficients]);
      return [await step.run(feeds, [state])];
    }
    sums.clear();
    for (const batch of batches) {
      results.push(await step.run(batch, [state, sums]));
      sums.swap();
    }
    results.push(await update.run(coefficients, [state, sums]));
    return results;
  }

  return {
    async take(steps, watched) {
      const taken: Results[][] = [];
      for (const one of steps) {
        const results = await run(one);
        taken.push(results);
        if (!areFinite(results, watched)) return { steps: taken, isFinite: false };
        state.swap();
      }
      return { steps: taken, isFinite: true };
    },
    state: state.read,
    async release() {
      await step.release();
      await update?.release();
    },
  };
}
