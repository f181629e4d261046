/** Writes nodes into a graph, each directly after what it reads: appended at the end they cost more. */
import { invariant } from "../errors.ts";
import type { Graph, Node, Origin, Value } from "../graph/graph.ts";
import type { Numbers } from "../graph/tensor.ts";
import { createEmitter, type Emitter, noOrigin } from "../ops/emitter.ts";

/** Statistics that a part of the report needs beside those of single values. */
export interface Probe<T> {
  /** What `write` reads. */
  readonly needs: readonly Value[];
  /** Writes the nodes and returns what the run gives out. */
  write(emit: Emitter): readonly Value[];
  /** The outputs' numbers, in the order of `write`. */
  read(numbers: readonly Numbers[]): T;
}

/**
 * The graph's nodes in their order; `after` is called for each value of the graph once it can be
 * read (inputs before the first node), and writes with `emit`.
 */
export function weave(graph: Graph, after: (emit: Emitter, value: Value) => void): Emitter {
  const emit = createEmitter({ mayFold: () => false });
  emit.gradMode = false;
  emit.origin = { ...noOrigin, direction: "statistic" };
  for (const value of graph.inputs) after(emit, value);
  for (const node of graph.nodes) {
    emit.nodes.push(node);
    emit.origin = statisticOf(node);
    for (const value of node.outputs) after(emit, value);
  }
  return emit;
}

const statisticOf = ({ origin }: Node): Origin => ({
  direction: "statistic",
  call: origin.call,
  group: null,
});

/** Calls each probe's `write` as soon as all that it needs has been announced with `made`. */
export function createProbeWriter(probes: readonly Probe<unknown>[]) {
  const outputs = new Map<Probe<unknown>, readonly Value[]>();
  const missing = new Map<Probe<unknown>, Set<number>>();
  const waiting = new Map<number, Probe<unknown>[]>();
  for (const probe of probes) {
    const made = probe.needs.filter((value) => value.role !== "constant");
    const ids = new Set(made.map((value) => value.id));
    missing.set(probe, ids);
    for (const id of ids) waiting.set(id, [...(waiting.get(id) ?? []), probe]);
  }
  return {
    outputs,
    made(emit: Emitter, value: Value): void {
      for (const probe of waiting.get(value.id) ?? []) {
        const ids = missing.get(probe);
        invariant(ids, "a waiting probe misses something");
        ids.delete(value.id);
        if (ids.size === 0) outputs.set(probe, probe.write(emit));
      }
    },
  };
}
