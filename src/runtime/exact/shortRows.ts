/**
 * Norms of rows of at most eight numbers so large that their squares overflow. PyTorch merges the
 * moments of lanes of eight numbers: what is left of a row is merged into none, which adds 0 times the
 * square of its mean, and lanes are merged into 0 at first, which adds that of the first one. Longer rows
 * are left as they are, since each step more would cost models time.
 */
import type { Node, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";

const lanes = 8;

export function shortRows(node: Node, createValue: CreateValue): readonly Node[] | null {
  const [x, scale] = node.inputs;
  const [y, mean, inverse] = node.outputs;
  if (node.op !== "LayerNormalization" || !x || !scale || !y || x.dtype !== "float32") return null;
  // Instances are normalised as channels of a batch are, by another kernel.
  if (numel(scale.shape) > lanes || node.origin.call?.op === "instance_norm") return null;
  const rank = x.shape.length;
  const axis = rank - scale.shape.length;
  const perRow = { shape: x.shape.map((size, k) => (k < axis ? size : 1)) };
  const nodes: Node[] = [];
  const write = (op: string, inputs: readonly Value[], output: Value) => {
    nodes.push({ ...node, op, inputs, outputs: [output], attrs: {} });
    return output;
  };
  const means = mean ?? createValue(x, perRow);
  const [plain, inverses] = [createValue(y), inverse && createValue(inverse)];
  nodes.push({ ...node, outputs: [plain, means, ...(inverses ? [inverses] : [])] });
  const axes = scale.shape.map((_, k) => axis + k);
  const places = (numbers: readonly number[]) =>
    createValue(x, {
      role: "constant",
      dtype: "int64",
      shape: [numbers.length],
      data: Float64Array.from(numbers),
    });
  const bounds = [0, 1].map((at) => places(axes.map(() => at)));
  const first = () => write("Slice", [x, ...bounds, places(axes)], createValue(x, perRow));
  const merged = numel(scale.shape) < lanes ? means : first();
  const zero = createValue(x, { role: "constant", shape: [], data: Float32Array.of(0) });
  const square = write("Mul", [merged, merged], createValue(x, perRow));
  const lost = write("Mul", [square, zero], createValue(x, perRow));
  write("Add", [plain, lost], y);
  if (inverse && inverses) write("Add", [inverses, lost], inverse);
  return nodes;
}
