/** A node that gives one number everywhere. */
import type { Node, Value } from "../../graph/graph.ts";
import type { Numbers } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";

/** `y` as the one number of `data`, in place of what `node` computes. */
export function spreadOver(node: Node, y: Value, data: Numbers, createValue: CreateValue): Node {
  const number = createValue(y, { role: "constant", shape: [], data });
  const sizes = createValue(y, {
    role: "constant",
    dtype: "int64",
    shape: [y.shape.length],
    data: Float64Array.from(y.shape),
  });
  return { ...node, op: "Expand", inputs: [number, sizes], attrs: {} };
}
