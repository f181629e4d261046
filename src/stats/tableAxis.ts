/** Along which axis of the tokens a table of positions is added. */
import type { TorchCall } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import type { Structure } from "./structure.ts";

export interface TableAxis {
  readonly axis: 0 | 1;
  readonly call: TorchCall | null;
}

/** The axis along which the first added table of positions runs. */
export function tableAxis(
  { nodes }: Pick<Structure, "nodes">,
  a: number,
  b: number,
): TableAxis | null {
  for (const { op, inputs, outputs, origin } of nodes) {
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
