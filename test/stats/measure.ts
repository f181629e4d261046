/** For tests: graph and wanted values → statistics, through both stages on ONNX Runtime. */
import { encodeModel } from "../../src/graph/encode.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import { prune } from "../../src/graph/prune.ts";
import type { HostArray } from "../../src/graph/tensor.ts";
import { createEmitter } from "../../src/ops/emitter.ts";
import { createRuntime } from "../../src/runtime/run.ts";
import { collect, createStatsOf, type StatsOf } from "../../src/stats/collect.ts";
import { type Instrumented, instrument, type Wanted } from "../../src/stats/instrument.ts";
import type { Results } from "../../src/stats/readings.ts";
import { type Refined, readRefined, refine } from "../../src/stats/refine.ts";
import type { Probe } from "../../src/stats/weave.ts";

export interface Measured {
  readonly statsOf: StatsOf;
  readonly instrumented: Instrumented;
  readonly refined: Refined | null;
  readonly results: Results;
}

export async function measure(
  graph: Graph,
  wanted: readonly Wanted[],
  probes: readonly Probe<unknown>[] = [],
): Promise<Measured> {
  const instrumented = instrument(graph, wanted, { probes });
  const results = await runGraph(instrumented.graph);
  const { moments, doubts } = collect(graph, instrumented, results);
  const refined = refine(graph, doubts);
  const exact = refined ? readRefined(refined, await runGraph(refined.graph)) : new Map();
  const statsOf = createStatsOf(instrumented, moments, exact);
  return { statsOf, instrumented, refined, results };
}

async function runGraph(graph: Graph): Promise<Results> {
  const runtime = createRuntime({ threads: 1 });
  const session = await runtime.openSession(encodeModel(prune(graph)), "cpu");
  try {
    return await session.run();
  } finally {
    await session.release();
  }
}

/** Values that are fed, as weights are. */
export const fed = (...arrays: readonly HostArray[]): Value[] =>
  arrays.map((array) =>
    createEmitter().input(array, {
      role: "parameter",
      name: null,
      requiresGrad: false,
      data: array.data,
    }),
  );

/** Numbers in [0, 1) that are the same in every run. */
export function uniforms(seed: number, count: number): Float64Array {
  let state = seed >>> 0;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}
