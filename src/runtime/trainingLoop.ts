/** Several steps of training as one run of one graph: an ONNX Loop, whose state stays where it runs. */
import { invariant } from "../errors.ts";
import type { EncodedModel, FedValue } from "../graph/encode.ts";
import { allocate, type Numbers, numel } from "../graph/tensor.ts";
import type { Provider } from "./provider.ts";
import type { StepFeeds, TrainingSession } from "./training.ts";
import {
  createSlots,
  type Feeds,
  openRunner,
  type Results,
  type RunnerOptions,
  type StateSlot,
} from "./trainingParts.ts";
import { areFinite } from "./watched.ts";

export interface LoopModel {
  readonly model: EncodedModel;
  /** Steps of one run at most. */
  readonly most: number;
  /** Value id of the number of steps. */
  readonly count: number;
  /** By the id of one step's value, that of the input with those of all steps. */
  readonly batches: ReadonlyMap<number, number>;
  readonly coefficients: ReadonlyMap<number, number>;
  /** Inputs and outputs of the loop, in the order of `TrainingModels.state`. */
  readonly state: readonly Pick<StateSlot, "input" | "output">[];
  readonly ofBatch: ScannedNumbers;
  readonly ofStep: ScannedNumbers;
}

/** An output [steps, …] that has several values of each batch or step, one behind another. */
export interface ScannedNumbers {
  readonly scan: number;
  readonly values: readonly { readonly id: number; readonly size: number }[];
}

export async function openLoop(
  loop: LoopModel,
  slots: readonly StateSlot[],
  provider: Provider,
  options: RunnerOptions,
): Promise<TrainingSession> {
  const { model, most, ofBatch, ofStep } = loop;
  const state = createSlots(slots.map((slot, at) => ({ ...slot, ...loop.state[at] })));
  const scans = new Set([ofBatch.scan, ofStep.scan]);
  const runner = await openRunner(model, provider, options, scans);
  const fed = new Map(model.fed.map((value) => [value.id, value]));

  /** What the steps are fed, stacked. */
  function stacked(steps: readonly StepFeeds[]): Feeds {
    const feeds = new Map<number, Numbers>();
    const put = (of: ReadonlyMap<number, number>, each: readonly Feeds[]): void => {
      for (const [id, stack] of of) {
        const value = fed.get(stack);
        // What no node reads is not fed.
        if (value !== undefined)
          feeds.set(
            stack,
            stackOf(
              value,
              each.map((one) => one.get(id)),
            ),
          );
      }
    };
    put(
      loop.batches,
      steps.flatMap(({ batches }) => batches),
    );
    put(
      loop.coefficients,
      steps.map(({ coefficients }) => coefficients),
    );
    return feeds;
  }

  const run = (feeds: Feeds, count: number): Promise<Results> =>
    runner.run(new Map([...feeds, [loop.count, Float64Array.of(count)]]), [state]);

  /** Up to `most` steps; what each of those that were run gave. */
  async function runOnce(steps: readonly StepFeeds[], watched: readonly number[]) {
    const feeds = stacked(steps);
    const given = await run(feeds, steps.length);
    const batchesOfStep = steps[0]?.batches.length ?? 1;
    const updates = rowsOf(ofStep, given);
    const batches = rowsOf(ofBatch, given);
    const results = updates.map((update, at) => [
      ...batches.slice(at * batchesOfStep, (at + 1) * batchesOfStep),
      update,
    ]);
    const allFinite = results.every((one) => areFinite(one, watched));
    if (allFinite) {
      invariant(results.length === steps.length, "a loop ends at numbers that are not finite");
      state.swap();
    } else if (results.length > 1) {
      // The steps before it once more, from the state that they began with.
      await run(feeds, results.length - 1);
      state.swap();
    }
    return { results, allFinite };
  }

  return {
    async take(steps, watched) {
      const taken: (readonly Results[])[] = [];
      for (let at = 0; at < steps.length; at += most) {
        const { results, allFinite } = await runOnce(steps.slice(at, at + most), watched);
        taken.push(...results);
        if (!allFinite) return { steps: taken, isFinite: false };
      }
      return { steps: taken, isFinite: true };
    },
    state: state.read,
    release: runner.release,
  };
}

/** Rows of the steps, one after another; the rest of the stack, which no step reads, is zeros. */
function stackOf({ dtype, shape }: FedValue, rows: readonly (Numbers | undefined)[]): Numbers {
  const stack = allocate(dtype, numel(shape));
  let at = 0;
  for (const row of rows) {
    invariant(row, "every step is fed the same values");
    stack.set(row, at);
    at += row.length;
  }
  return stack;
}

/** A row of a scan → its values by their ids. */
function rowsOf({ scan, values }: ScannedNumbers, given: Results): Results[] {
  const numbers = given.get(scan);
  invariant(numbers, "a loop gives what it scans");
  const width = values.reduce((sum, { size }) => sum + size, 0);
  return Array.from({ length: numbers.length / width }, (_, row) => {
    const results = new Map<number, Numbers>();
    let at = row * width;
    for (const { id, size } of values) {
      results.set(id, numbers.slice(at, at + size));
      at += size;
    }
    return results;
  });
}
