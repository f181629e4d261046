/** Two movements of a value in a row are one, or none. */
import type { Attrs, Node, Value } from "../graph/graph.ts";
import { sameShape } from "../graph/tensor.ts";

type Inputs = readonly (Value | null)[];

export interface Shortened {
  /** What to write instead; null: the result is `inputs[0]` itself. */
  readonly attrs: Attrs | null;
  readonly inputs: Inputs;
}

/** null: there is nothing to shorten. */
export function shortened(
  type: string,
  inputs: Inputs,
  attrs: Attrs,
  makerOf: (value: Value) => Node | null,
): Shortened | null {
  const [x, shape] = inputs;
  const maker = x && (type === "Transpose" || type === "Reshape") ? makerOf(x) : null;
  const source = maker?.op === type ? maker.inputs[0] : null;
  if (!maker || !source) return null;
  if (type === "Reshape") return reshapeOf(source, shape ?? null, attrs);
  const [first, second] = [maker.attrs["perm"], attrs["perm"]];
  if (!isPerm(first) || !isPerm(second)) return null;
  const perm = second.map((axis) => first[axis] as number);
  const same = perm.every((from, to) => from === to);
  return { inputs: [source], attrs: same ? null : { perm } };
}

function reshapeOf(source: Value, shape: Value | null, attrs: Attrs): Shortened | null {
  const sizes = shape?.role === "constant" && shape.data ? Array.from(shape.data) : null;
  // 0 and −1 stand for sizes of the value that is reshaped.
  if (sizes === null || sizes.some((size) => size <= 0)) return null;
  return { inputs: [source, shape], attrs: sameShape(source.shape, sizes) ? null : attrs };
}

const isPerm = (perm: unknown): perm is readonly number[] => Array.isArray(perm);
