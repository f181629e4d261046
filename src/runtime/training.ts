/** The graphs of a training step, run again and again: what a step writes is what the next one reads. */
import { InferenceSession, type Tensor } from "onnxruntime-node";
import { invariant } from "../errors.ts";
import { type EncodedModel, tensorName } from "../graph/encode.ts";
import { type Numbers, numel } from "../graph/tensor.ts";
import { readOrtError } from "./ortError.ts";
import type { Provider } from "./provider.ts";
import { fromOrt, toOrt } from "./tensors.ts";

/** A tensor that lives as long as the session. */
export interface StateSlot {
  /** Value ids. */
  readonly input: number;
  readonly output: number;
  readonly shape: readonly number[];
  /** At the start; null: zeros. */
  readonly data: Numbers | null;
}

export interface TrainingModels {
  readonly step: EncodedModel;
  /** null: `step` has the update. */
  readonly update: EncodedModel | null;
  readonly state: readonly StateSlot[];
  /** Written by `step`, read by `update`, and zero at the beginning of every step. */
  readonly accumulators: readonly StateSlot[];
}

export type Feeds = ReadonlyMap<number, Numbers>;

export interface TrainingSession {
  /** One update from one batch or several; the outputs of every run, by value id. */
  step(batches: readonly Feeds[], coefficients: Feeds): Promise<ReadonlyMap<number, Numbers>[]>;
  /** Makes what the last step wrote the state. Without it the next step starts where that one did. */
  commit(): void;
  /** Numbers of the state, in the order of the slots. */
  state(): Numbers[];
  release(): Promise<void>;
}

export interface TrainingOptions {
  readonly threads: number | null;
}

export async function openTraining(
  models: TrainingModels,
  provider: Provider,
  options: TrainingOptions,
): Promise<TrainingSession> {
  const state = createSlots(models.state);
  const sums = createSlots(models.accumulators);
  const step = await openRunner(models.step, provider, options);
  const update = models.update && (await openRunner(models.update, provider, options));

  return {
    async step(batches, coefficients) {
      const results: ReadonlyMap<number, Numbers>[] = [];
      if (update === null) {
        invariant(batches.length === 1, "one batch makes one update");
        results.push(await step(new Map([...(batches[0] ?? []), ...coefficients]), [state]));
        return results;
      }
      sums.clear();
      for (const batch of batches) {
        results.push(await step(batch, [state, sums]));
        sums.swap();
      }
      results.push(await update(coefficients, [state, sums]));
      return results;
    },
    commit: state.swap,
    state: state.read,
    async release() {
      await step.release();
      await update?.release();
    },
  };
}

/** Two buffers for each tensor: one is read while the other is written. */
function createSlots(slots: readonly StateSlot[]) {
  const tensor = ({ input, shape }: StateSlot, data: Numbers): Tensor =>
    toOrt({ id: input, role: "input", dtype: "float32", shape, data: null, name: null }, data);
  const fresh = (slot: StateSlot): Tensor => tensor(slot, new Float32Array(numel(slot.shape)));
  let read = slots.map((slot) =>
    slot.data === null ? fresh(slot) : tensor(slot, Float32Array.from(slot.data)),
  );
  let write = slots.map(fresh);
  const dataOf = (at: Tensor): Float32Array => at.data as Float32Array;
  return {
    input: new Map(slots.map(({ input }, at) => [input, () => read[at] as Tensor])),
    output: new Map(slots.map(({ output }, at) => [output, () => write[at] as Tensor])),
    swap() {
      [read, write] = [write, read];
    },
    clear() {
      for (const at of read) dataOf(at).fill(0);
    },
    read: (): Numbers[] => read.map((at) => dataOf(at).slice()),
  };
}

type Slots = ReturnType<typeof createSlots>;

async function openRunner(model: EncodedModel, provider: Provider, options: TrainingOptions) {
  const session = await createSession(model, provider, options);
  const fixed = new Map(
    model.fed.flatMap((value) =>
      value.data === null ? [] : [[value.id, toOrt(value, value.data)]],
    ),
  );

  async function run(feeds: Feeds, slots: readonly Slots[]): Promise<ReadonlyMap<number, Numbers>> {
    const inputs: Record<string, Tensor> = {};
    for (const value of model.fed) {
      const held = slots.map(({ input }) => input.get(value.id)).find((of) => of !== undefined);
      const numbers = feeds.get(value.id);
      const tensor = held?.() ?? (numbers ? toOrt(value, numbers) : fixed.get(value.id));
      invariant(tensor, `'${value.name ?? `value ${value.id}`}' is not fed`);
      inputs[tensorName(value)] = tensor;
    }
    const outputs: Record<string, Tensor | null> = {};
    const written = new Map<number, Tensor>();
    for (const { id, tensor } of model.outputs) {
      if (tensor === null) continue;
      const into = slots.map(({ output }) => output.get(id)).find((of) => of !== undefined);
      if (into) written.set(id, into());
      outputs[tensor] = into?.() ?? null;
    }
    try {
      const made = await session.run(inputs, outputs);
      return new Map(
        model.outputs
          .filter(({ id, tensor }) => tensor !== null && !written.has(id))
          .map((value) => [value.id, fromOrt(made[value.tensor ?? ""], value).data]),
      );
    } catch (error) {
      throw readOrtError(error, model.sources, provider);
    }
  }
  return Object.assign(run, { release: () => session.release() });
}

async function createSession(
  model: EncodedModel,
  provider: Provider,
  { threads }: TrainingOptions,
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(model.bytes, {
      executionProviders: [provider],
      // Measured: no level makes a step faster.
      graphOptimizationLevel: "disabled",
      // Learnt in the first step, used by all others.
      enableMemPattern: true,
      executionMode: "sequential",
      logSeverityLevel: 4,
      ...(threads === null ? {} : { intraOpNumThreads: threads }),
    });
  } catch (error) {
    throw readOrtError(error, model.sources, provider);
  }
}
