/**
 * The mean that a standard deviation is measured from: PyTorch's (Welford's) is exact where all
 * numbers of a row are the same, and the deviation 0 and not of a last digit. The mean of how far they
 * lie from the first of them is so as well, if that is finite; else they lie from 0. PyTorch's deviation of all numbers at once is computed in
 * another way, and is a last digit there too.
 */
import type { Node } from "../../graph/graph.ts";
import { allocate } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";

const deviations = new Set(["var", "std", "var_mean", "std_mean"]);

export function rowMean(node: Node, createValue: CreateValue): readonly Node[] | null {
  const { op, inputs, outputs } = node;
  const [x, axes] = inputs;
  const [mean] = outputs;
  if (op !== "ReduceMean" || !deviations.has(node.origin.call?.op ?? "")) return null;
  const places = axes?.data;
  if (!x || !mean || !places || node.attrs["keepdims"] === 0) return null;
  const isOneRow = mean.shape.every((size) => size === 1);
  if (isOneRow) return null;
  const all = (value: number) =>
    createValue(axes, { role: "constant", data: places.slice().fill(value) });
  const [first, origin, shift] = [createValue(mean), createValue(mean), createValue(mean)];
  const isEndless = createValue(mean, { dtype: "bool" });
  const zero = createValue(mean, {
    role: "constant",
    shape: [],
    data: allocate(mean.dtype, 1),
  });
  const apart = createValue(x);
  return [
    { ...node, op: "Slice", inputs: [x, all(0), all(1), axes], outputs: [first], attrs: {} },
    { ...node, op: "IsInf", inputs: [first], outputs: [isEndless], attrs: {} },
    { ...node, op: "Where", inputs: [isEndless, zero, first], outputs: [origin], attrs: {} },
    { ...node, op: "Sub", inputs: [x, origin], outputs: [apart], attrs: {} },
    { ...node, inputs: [apart, axes], outputs: [shift] },
    { ...node, op: "Add", inputs: [origin, shift], outputs: [mean], attrs: {} },
  ];
}
