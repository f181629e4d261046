/** The parameters of one run: filled by the runtime where they are random, measured once, here or there. */
import type { EncodedModel } from "../graph/encode.ts";
import type { Graph } from "../graph/graph.ts";
import { encodeForRun } from "../runtime/encodeForRun.ts";
import type { Moments } from "../stats/moments.ts";
import { keyOf } from "../stats/readings.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { runJob } from "../weights/jobs.ts";
import { type Fill, momentsOf } from "./fillParameters.ts";
import type { RuntimeAnswer } from "./runtimeQuestion.ts";

export interface RunParameters {
  /** What the runtime is to fill. */
  readonly fills: readonly Fill[];
  /** What all of them take. */
  readonly bytes: number;
  /** Whether a value, by its key, is a parameter whose moments need no run. */
  isKnown(key: string): boolean;
  /** Without numbers for what the runtime fills. */
  encode(graph: Graph): EncodedModel;
  /** By `keyOf`; to be called once the graph has run. */
  moments(ran: RuntimeAnswer): ReadonlyMap<string, Moments>;
}

/** Fills here and now what else is random: inputs, and pairs, which are measured as magnitudes. */
export function runParameters({ program, fills }: TracedScript): RunParameters {
  const real = program.parameters.flatMap(({ value, dtype }) =>
    value === null || dtype.startsWith("complex") ? [] : [value],
  );
  const byNumbers = new Map(real.map((value) => [value.data, value]));
  const remote: Fill[] = [];
  for (const { job, out } of fills) {
    const value = byNumbers.get(out);
    if (value) remote.push({ id: value.id, dtype: value.dtype, job });
    else runJob(job, out);
  }
  const isRemote = new Set(remote.map(({ id }) => id));
  const keys = new Map(real.map((value) => [keyOf(value, false), value]));
  return {
    fills: remote,
    bytes: real.reduce((sum, { data }) => sum + (data?.byteLength ?? 0), 0),
    isKnown: (key) => keys.has(key),
    encode(graph) {
      const model = encodeForRun(graph);
      const fed = model.fed.map((value) =>
        isRemote.has(value.id) ? { ...value, data: null } : value,
      );
      return { ...model, fed };
    },
    moments: ({ filled }) =>
      new Map(
        [...keys].flatMap(([key, { id, data }]): [string, Moments][] => {
          const moments = filled.get(id) ?? (data && momentsOf(data));
          return moments ? [[key, moments]] : [];
        }),
      ),
  };
}
