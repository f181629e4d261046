/** Which of an input's first two axes has the samples. */
import type { TorchCall } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { alignmentOf } from "./alignment.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Known where targets are the tokens of the other axis, where the model's result has lost it, or
 * where something that differs along it and is the same for all samples is added. null: not known.
 */
export function batchAxisOf(evidence: Evidence, spread: ModelSpread): 0 | 1 | null {
  const { result } = spread;
  const [a, b] = spread.size;
  const alignment = alignmentOf(evidence);
  if (alignment?.spread === spread) return alignment.positions === 1 ? 0 : 1;
  const table = tableAxis(evidence, a, b);
  if (table !== null) return table.axis === 1 ? 0 : 1;
  const isPooled = result !== null && result.shape.length === 2 && result.shape[1] !== b;
  return isPooled && spread.input.dtype === "int64" ? 0 : null;
}

export interface TableAxis {
  readonly axis: 0 | 1;
  readonly call: TorchCall | null;
}

/** The axis along which the first added table of positions runs. */
export function tableAxis({ structure }: Evidence, a: number, b: number): TableAxis | null {
  for (const { op, inputs, outputs, origin } of structure.nodes) {
    const [out] = outputs;
    if (op !== "Add" || !out || out.shape.length !== 3) continue;
    if (out.shape[0] !== a || out.shape[1] !== b) continue;
    for (const value of inputs) {
      if (value === null || !isFloat(value.dtype) || value.shape.at(-1) !== out.shape[2]) continue;
      const [first = 1, second = 1] = [...Array(3 - value.shape.length).fill(1), ...value.shape];
      if (first === 1 && second === b) return { axis: 1, call: origin.call };
      if (first === a && second === 1) return { axis: 0, call: origin.call };
    }
  }
  return null;
}
