/** Encoded model + numbers → numbers, with ONNX Runtime. `session.run` blocks the thread that calls it. */
import { InferenceSession, type Tensor } from "onnxruntime-node";
import { invariant } from "../errors.ts";
import { type EncodedModel, type FedValue, tensorName } from "../graph/encode.ts";
import type { Graph, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import type { HostArray, Numbers } from "../graph/tensor.ts";
import type { ElsewhereReport } from "../protocol/report.ts";
import { encodeForRun } from "./encodeForRun.ts";
import { readOrtError } from "./ortError.ts";
import { elsewhere, type Profile, startProfile } from "./placement.ts";
import type { Provider } from "./provider.ts";
import { fromOrt, toOrt } from "./tensors.ts";

export interface RuntimeOptions {
  /** Threads that share the work of one node; default: one per physical core. */
  readonly threads?: number;
  /** What ONNX Runtime writes to stderr: 0 everything … 4 fatal errors only (default). */
  readonly logSeverity?: 0 | 1 | 2 | 3 | 4;
}

export interface Runtime {
  /** Throws where the provider or ONNX Runtime refuses the model. */
  openSession(model: EncodedModel, provider: Provider): Promise<Session>;
  /** The numbers of `outputs`, on the CPU; nodes that they do not need are not run. */
  evaluateGraph(graph: Graph, outputs: readonly Value[]): Promise<HostArray[]>;
}

export interface Session {
  /**
   * Feeds `feeds` by value id, else the values' own `data`; gives the outputs by value id.
   * An output that is fed comes back as it was fed.
   */
  run(feeds?: ReadonlyMap<number, Numbers>): Promise<Map<number, HostArray>>;
  /** What ran on another provider than the session's, known once it has run. */
  elsewhere(): readonly ElsewhereReport[];
  release(): Promise<void>;
}

export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const runtime: Runtime = {
    async openSession(model, provider) {
      // The CPU runs all that it is given.
      const profile = provider === "cpu" ? null : startProfile();
      const ort = model.outputs.some((value) => value.tensor !== null)
        ? await createOrtSession(model, provider, options, profile)
        : null;
      let onCpu: number[] | null = null;
      const readProfile = (): number[] => {
        if (profile !== null) ort?.endProfiling();
        return profile?.end() ?? [];
      };
      return {
        async run(feeds) {
          const results = await run(model, ort, provider, feeds ?? new Map());
          onCpu ??= readProfile();
          return results;
        },
        elsewhere: () => elsewhere(onCpu ?? [], model.sources),
        release: async () => {
          onCpu ??= readProfile();
          await ort?.release();
        },
      };
    },

    async evaluateGraph(graph, outputs) {
      const session = await runtime.openSession(encodeForRun(prune({ ...graph, outputs })), "cpu");
      try {
        const results = await session.run();
        return outputs.map(({ id }) => {
          const array = results.get(id);
          invariant(array, `value ${id} was not computed`);
          return array;
        });
      } finally {
        await session.release();
      }
    },
  };
  return runtime;
}

async function createOrtSession(
  model: EncodedModel,
  provider: Provider,
  options: RuntimeOptions,
  profile: Profile | null,
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(model.bytes, {
      executionProviders: [provider],
      ...profile?.options,
      // A graph is run once or a few times: optimising it costs more than it gives.
      graphOptimizationLevel: "disabled",
      // The pattern is learnt in the first run, which it slows down; most graphs have no second.
      enableMemPattern: false,
      executionMode: "sequential",
      logSeverityLevel: options.logSeverity ?? 4,
      ...(options.threads === undefined ? {} : { intraOpNumThreads: options.threads }),
    });
  } catch (error) {
    throw readOrtError(error, model.sources, provider);
  }
}

async function run(
  model: EncodedModel,
  ort: InferenceSession | null,
  provider: Provider,
  feeds: ReadonlyMap<number, Numbers>,
): Promise<Map<number, HostArray>> {
  const numbersOf = new Map<number, Numbers>();
  const tensors: Record<string, Tensor> = {};
  for (const value of model.fed) {
    const numbers = feeds.get(value.id) ?? dataOf(value);
    numbersOf.set(value.id, numbers);
    tensors[tensorName(value)] = toOrt(value, numbers);
  }
  const made = ort === null ? {} : await runOrt(ort, tensors, model, provider);
  return new Map(
    model.outputs.map((value) => [
      value.id,
      value.tensor === null
        ? { ...typeOf(value), data: numbersOf.get(value.id) ?? dataOf(value) }
        : fromOrt(made[value.tensor], value),
    ]),
  );
}

const typeOf = ({ dtype, shape }: FedValue) => ({ dtype, shape });

function dataOf(value: FedValue): Numbers {
  invariant(value.data, `'${value.name ?? `value ${value.id}`}' is not fed`);
  return value.data;
}

async function runOrt(
  ort: InferenceSession,
  tensors: Record<string, Tensor>,
  model: EncodedModel,
  provider: Provider,
): Promise<InferenceSession.OnnxValueMapType> {
  try {
    return await ort.run(tensors);
  } catch (error) {
    throw readOrtError(error, model.sources, provider);
  }
}
