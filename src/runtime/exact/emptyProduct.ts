/**
 * Products of matrices of which one has no elements: they have none either, or are zeros. ONNX Runtime's
 * kernel does not broadcast batches over such.
 */
import type { Node } from "../../graph/graph.ts";
import { allocate, numel } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";
import { spreadOver } from "./spread.ts";

export function emptyProduct(node: Node, createValue: CreateValue): readonly Node[] | null {
  const [a, b] = node.inputs;
  const [y] = node.outputs;
  if (node.op !== "MatMul" || !a || !b || !y) return null;
  if (numel(a.shape) > 0 && numel(b.shape) > 0) return null;
  return [spreadOver(node, y, allocate(y.dtype, 1), createValue)];
}
