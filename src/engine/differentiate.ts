/** A traced program → its graph with gradients, as the report tells of them. */
import { addGradients } from "../autodiff/addGradients.ts";
import type { Graph, Value } from "../graph/graph.ts";
import type { TracedScript } from "../trace/traceScript.ts";

export function differentiate({ program, emit, hooks }: TracedScript): {
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
  // A parameter's gradient is what lands in `.grad`, any other value's what a hook would receive.
  const reported = (value: Value) =>
    value.role === "parameter" ? gradientAfterHooks(value) : gradientOf(value);
  return { graph, gradientOf: reported };
}
