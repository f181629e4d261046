/** What sessions of training are made of: tensors that stay, and graphs that run again and again. */
import { InferenceSession, type Tensor } from "onnxruntime-node";
import { invariant } from "../errors.ts";
import { type EncodedModel, type EncodedOutput, tensorName } from "../graph/encode.ts";
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

export type Feeds = ReadonlyMap<number, Numbers>;

/** Numbers of outputs, by value id. */
export type Results = ReadonlyMap<number, Numbers>;

/** Two buffers for each tensor: one is read while the other is written. */
export function createSlots(slots: readonly StateSlot[]) {
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

export type Slots = ReturnType<typeof createSlots>;

export interface RunnerOptions {
  readonly threads: number | null;
}

export interface Runner {
  /** What is not fed and is no slot has the numbers that the model came with. */
  run(feeds: Feeds, slots: readonly Slots[]): Promise<Results>;
  release(): Promise<void>;
}

/** `growing`: outputs that may have fewer rows than their shape says, by value id. */
export async function openRunner(
  model: EncodedModel,
  provider: Provider,
  options: RunnerOptions,
  growing: ReadonlySet<number> = new Set(),
): Promise<Runner> {
  const session = await createSession(model, provider, options);
  const fixed = new Map(
    model.fed.flatMap((value) =>
      value.data === null ? [] : [[value.id, toOrt(value, value.data)]],
    ),
  );
  const read = (output: EncodedOutput, tensor: Tensor | undefined): Numbers => {
    const { id, shape } = output;
    if (!growing.has(id)) return fromOrt(tensor, output).data;
    const [rows = 0] = tensor?.dims ?? [];
    return fromOrt(tensor, { ...output, shape: [rows, ...shape.slice(1)] }).data;
  };

  return {
    async run(feeds, slots) {
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
            .map((value) => [value.id, read(value, made[value.tensor ?? ""])]),
        );
      } catch (error) {
        throw readOrtError(error, model.sources, provider);
      }
    },
    release: () => session.release(),
  };
}

async function createSession(
  model: EncodedModel,
  provider: Provider,
  { threads }: RunnerOptions,
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
