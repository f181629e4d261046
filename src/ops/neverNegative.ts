/** Which integers are 0 or more by how they are made, whatever the numbers are. */
import type { Node, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";

const always = new Set(["ArgMax", "ArgMin", "NonZero", "Shape", "Size", "OneHot"]);
/** Where all of their operands are. */
const ofOperands = new Set(["Add", "Mul", "Div", "Min", "Mod", "Concat"]);
/** Operands beyond the first are places, sizes or axes. */
const ofFirst = new Set(
  "Cast Expand Identity Reshape Squeeze Transpose Unsqueeze Slice CumSum Gather GatherElements".split(
    " ",
  ),
);

/** Whether integers are places on an axis of at most `size` elements, found by TopK or ArgMax. */
export function isPlaceBelow(
  value: Value,
  size: number,
  makerOf: (value: Value) => Node | null,
): boolean {
  for (let at: Value | null | undefined = value; at; ) {
    const maker: Node | null = makerOf(at);
    if (maker === null) return false;
    const { op, inputs, outputs, attrs } = maker;
    if (op === "TopK" ? outputs[1]?.id === at.id : op.startsWith("Arg")) {
      const axis = (attrs["axis"] as number | undefined) ?? (op === "TopK" ? -1 : 0);
      return (inputs[0]?.shape.at(axis) ?? Number.POSITIVE_INFINITY) <= size;
    }
    at = ofFirst.has(op) && op !== "CumSum" ? inputs[0] : null;
  }
  return false;
}

/** `depth`: how many nodes are looked through. */
export function isNeverNegative(
  value: Value,
  makerOf: (value: Value) => Node | null,
  depth = 8,
): boolean {
  if (value.data !== null) return value.data.every((x: number) => x >= 0);
  const maker = makerOf(value);
  // Integers that enter the graph were looked at where they are known.
  if (maker === null) return !isFloat(value.dtype);
  if (depth === 0) return false;
  const { op, inputs, outputs } = maker;
  const holds = (input: Value | null | undefined): boolean =>
    !input || isNeverNegative(input, makerOf, depth - 1);
  if (always.has(op) || (op === "TopK" && outputs[1]?.id === value.id)) return true;
  if (ofFirst.has(op)) return holds(inputs[0]);
  if (ofOperands.has(op)) return inputs.every(holds);
  if (op === "Range") return holds(inputs[0]) && holds(inputs[2]);
  if (op === "Where") return holds(inputs[1]) && holds(inputs[2]);
  if (op === "Clip") return inputs[1] ? holds(inputs[1]) : holds(inputs[0]);
  if (op === "Max") return inputs.some(holds);
  return false;
}
