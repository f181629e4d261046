/** Values in which constants of some size, as masks have them, are still there. */
import type { Graph, Value } from "../graph/graph.ts";

/** Operators that move, choose, add or scale: what is large stays large. */
const passing = new Set([
  ...["Add", "Sum", "Sub", "Mul", "Div", "Where", "Concat", "Slice", "Gather", "Expand", "Cast"],
  ...["Reshape", "Transpose", "Squeeze", "Unsqueeze", "Identity", "Min", "Max", "Clip", "Pad"],
  ...["Split", "Tile", "Neg", "Trilu", "ScatterND", "ScatterElements", "GatherElements"],
]);

/** Whether a number for which `holds` is true can have come into a value from a constant. */
export function findReach(graph: Graph, holds: (x: number) => boolean): (value: Value) => boolean {
  const reached = new Map<number, boolean>();
  const isReached = (value: Value): boolean => {
    const known = reached.get(value.id);
    if (known !== undefined) return known;
    const own = value.role === "constant" && value.data?.some((x: number) => holds(x)) === true;
    reached.set(value.id, own);
    return own;
  };
  for (const { op, inputs, outputs } of graph.nodes) {
    const reaches = passing.has(op) && inputs.some((value) => value !== null && isReached(value));
    for (const { id } of outputs) reached.set(id, reaches);
  }
  return isReached;
}
