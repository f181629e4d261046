/** A traced program → its graph with gradients, as the report tells of them. */
import { addGradients } from "../autodiff/addGradients.ts";
import type { Graph, Value } from "../graph/graph.ts";
import type { TracedScript } from "../trace/traceScript.ts";

export function differentiate({ program, emit, hooks, accumulated, seenWithin }: TracedScript): {
  graph: Graph;
  gradientOf: (value: Value) => Value | null;
} {
  if (!program.backward) return { graph: program.graph, gradientOf: () => null };
  const { graph, gradientOf, gradientAfterHooks } = addGradients(
    program.graph,
    program.loss,
    emit,
    hooks,
  );
  const earlier = accumulated();
  // What requires no gradient by now takes none in, whatever was computed of it before.
  const closed = new Set(
    program.parameters.flatMap(({ requiresGrad, value }) =>
      requiresGrad || !value ? [] : [value],
    ),
  );
  const landed = new Map<number, Value>();
  for (const value of graph.inputs) {
    const before = earlier.get(value.id);
    const last = closed.has(value) ? null : gradientAfterHooks(value);
    const sum = before && last ? emit.op("Add", [before, last]) : (before ?? last);
    if (sum) landed.set(value.id, sum);
  }
  // A parameter's gradient is what lands in `.grad`, any other value's what a hook would receive.
  const reported = (value: Value) =>
    value.role === "parameter"
      ? (landed.get(value.id) ?? null)
      : (gradientOf(value) ?? seenWithin.get(value.id) ?? null);
  return { graph: { ...graph, nodes: [...emit.nodes] }, gradientOf: reported };
}
