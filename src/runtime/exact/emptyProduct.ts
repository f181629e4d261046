/**
 * Products of matrices of which one has no elements: they have none either, or are zeros. ONNX Runtime's
 * kernel does not broadcast batches over such.
 */
import type { Node } from "../../graph/graph.ts";
import { allocate, numel } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";

export function emptyProduct(node: Node, createValue: CreateValue): readonly Node[] | null {
  const [a, b] = node.inputs;
  const [y] = node.outputs;
  if (node.op !== "MatMul" || !a || !b || !y) return null;
  if (numel(a.shape) > 0 && numel(b.shape) > 0) return null;
  const zero = createValue(y, { role: "constant", shape: [], data: allocate(y.dtype, 1) });
  const sizes = createValue(y, {
    role: "constant",
    dtype: "int64",
    shape: [y.shape.length],
    data: Float64Array.from(y.shape),
  });
  return [{ ...node, op: "Expand", inputs: [zero, sizes], attrs: {} }];
}
