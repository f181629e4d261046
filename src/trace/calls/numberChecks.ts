/** Conditions on numbers of the graph that fail its run. */
import type { Emit, Node, Value } from "../../graph/graph.ts";
import type { NumberCheck } from "../../graph/numberChecks.ts";
import type { DType } from "../../graph/tensor.ts";
import { reshapeTo } from "../../ops/write.ts";

/** 1, if `condition` holds everywhere; without one nothing is checked. */
export function checkedOne(
  emit: Emit,
  check: NumberCheck,
  dtype: DType,
  condition: Value | null,
): Value {
  const one = emit.scalar(1, dtype);
  return condition === null ? one : checked(emit, check, one, condition);
}

/** The value, if `condition` holds everywhere. */
export function checked(emit: Emit, check: NumberCheck, value: Value, condition: Value): Value {
  const holds = emit.op("Cast", [condition], { to: "int64" });
  const all = emit.op("ReduceMin", [holds, null], { keepdims: 0 });
  const fails = emit.op("Sub", [emit.scalar(1, "int64"), all]);
  const row = emit.op("Mul", [fails, emit.scalar(check.row, "int64")]);
  return emit.op("Gather", [reshapeTo(emit, value, [1, ...value.shape]), row], { axis: 0 });
}

const positive = new Set(["Exp", "Softplus", "Sigmoid", "Softmax", "Abs", "Relu"]);
const squashing = new Set(["Sigmoid", "Softmax"]);
const moving = new Set(
  "Identity Reshape Squeeze Unsqueeze Transpose Slice Gather Expand".split(" "),
);

type MakerOf = (value: Value) => Node | null;

/** Whether numbers are between 0 and 1 by how they are made. */
export const isShare = (value: Value, makerOf: MakerOf): boolean =>
  isMadeBy(squashing, value, makerOf);

/** Whether numbers are not below 0 by how they are made. */
export const isPositive = (value: Value, makerOf: MakerOf): boolean =>
  isMadeBy(positive, value, makerOf);

function isMadeBy(ops: ReadonlySet<string>, value: Value, makerOf: MakerOf): boolean {
  for (let at: Value | null | undefined = value; at; ) {
    const maker: Node | null = makerOf(at);
    if (maker === null) return false;
    if (ops.has(maker.op)) return true;
    at = moving.has(maker.op) ? maker.inputs[0] : null;
  }
  return false;
}
