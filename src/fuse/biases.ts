/** Biases that are added by all cores. */
import type { Graph, Node } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { made } from "./rewriting.ts";

/** With fewer elements the second node costs more than it saves. */
const worthwhile = 2 ** 16;

/**
 * Gemm copies its third input into the result before it begins, on one core; Add works in the place of
 * the product, on all.
 */
export function fuseBiases(emit: Emitter, graph: Graph): Graph {
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    const [a, b, bias] = node.inputs;
    const [y] = node.outputs;
    const isRow = node.op === "Gemm" && bias?.shape.length === 1 && y?.dtype === "float32";
    if (!isRow || !y || numel(y.shape) < worthwhile || (node.attrs["beta"] ?? 1) !== 1)
      return [node];
    const product = made(emit, y);
    return [
      { ...node, inputs: [a ?? null, b ?? null], outputs: [product] },
      { ...node, op: "Add", inputs: [product, bias], attrs: {} },
    ];
  });
  return { ...graph, nodes };
}
