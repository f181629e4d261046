/** Where the axes of a value go while it is transposed and reshaped. */
import type { Node } from "../graph/graph.ts";

/** For each axis, the axis of the first value that it is; null: a mixture of several. */
export type AxisLabels = readonly (number | null)[];

export const labelAxes = (rank: number): AxisLabels => Array.from({ length: rank }, (_, at) => at);

export const axesAfter = (labels: AxisLabels, path: readonly Node[]): AxisLabels =>
  path.reduce(afterNode, labels);

function afterNode(labels: AxisLabels, { op, inputs, outputs, attrs }: Node): AxisLabels {
  const [from, to] = [inputs[0]?.shape ?? [], outputs[0]?.shape ?? []];
  if (op === "Transpose") {
    const perm = (attrs["perm"] as readonly number[] | undefined) ?? labels.map((_, at) => at);
    return perm.map((axis) => labels[axis] ?? null);
  }
  if (!["Reshape", "Squeeze", "Unsqueeze", "Flatten"].includes(op)) {
    const added = Math.max(to.length - labels.length, 0);
    return [...Array.from({ length: added }, () => null), ...labels];
  }
  return reshaped(labels, from, to);
}

/** An axis stays itself where as many elements lie before it and within it as before. */
function reshaped(labels: AxisLabels, from: readonly number[], to: readonly number[]): AxisLabels {
  const starts = new Map<string, number | null>();
  let before = 1;
  for (const [at, size] of from.entries()) {
    if (size > 1) starts.set(`${before}:${size}`, labels[at] ?? null);
    before *= size;
  }
  let ahead = 1;
  return to.map((size) => {
    const label = size > 1 ? (starts.get(`${ahead}:${size}`) ?? null) : null;
    ahead *= size;
    return label;
  });
}

/**
 * Which axes of an operand of a product are summed and which stay, counted from the end (-1 is the
 * last).
 */
export function contractedAxes(
  { op, attrs }: Node,
  operand: number,
): { own: number; free: number } {
  const isTurned = op === "Gemm" && Number(attrs[operand === 0 ? "transA" : "transB"] ?? 0) === 1;
  const isLast = (operand === 0) !== isTurned;
  return isLast ? { own: -1, free: -2 } : { own: -2, free: -1 };
}
