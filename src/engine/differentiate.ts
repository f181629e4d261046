/** A traced program → its graph with gradients, as the report tells of them. */
import { addGradients } from "../autodiff/addGradients.ts";
import type { Graph, Value } from "../graph/graph.ts";
import type { TracedScript } from "../trace/traceScript.ts";

/** `hooks`: through how many of the value's own hooks the gradient has gone (see `TracedTensor`). */
export type GradientOf = (value: Value, hooks?: number) => Value | null;

export function differentiate(traced: TracedScript): { graph: Graph; gradientOf: GradientOf } {
  const { program, emit, hooks, accumulated, seenWithin, hooked } = traced;
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
  const reported: GradientOf = (value, passed = 0) => {
    if (value.role === "parameter") return landed.get(value.id) ?? null;
    const afterHooks = hooked.get(value.id)?.[passed - 1];
    return afterHooks ?? gradientOf(value) ?? seenWithin.get(value.id) ?? null;
  };
  return { graph: { ...graph, nodes: [...emit.nodes] }, gradientOf: reported };
}
