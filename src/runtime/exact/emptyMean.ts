/** Means of nothing, which are no number; ONNX Runtime's kernel gives 0. */
import type { Node } from "../../graph/graph.ts";
import { allocate, numel } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";
import { spreadOver } from "./spread.ts";

export function emptyMean(node: Node, createValue: CreateValue): readonly Node[] | null {
  const [x] = node.inputs;
  const [y] = node.outputs;
  if (node.op !== "ReduceMean" || !x || !y || numel(x.shape) > 0) return null;
  return [spreadOver(node, y, allocate(y.dtype, 1).fill(Number.NaN), createValue)];
}
