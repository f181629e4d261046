/** Conditions on numbers of the graph that fail its run. */
import { type Refusal, torchError } from "../../errors.ts";
import type { Node, Value } from "../../graph/graph.ts";
import { type DType, numel } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { reshapeTo } from "../../ops/write.ts";
import { writtenAs } from "../passThrough.ts";

export const checks = {
  share: {
    pythonType: "RuntimeError",
    message: "all elements of input should be between 0 and 1",
  },
  variance: { pythonType: "ValueError", message: "var has negative entry/entries" },
  divisor: { pythonType: "RuntimeError", message: "ZeroDivisionError" },
} as const satisfies Record<string, Refusal>;

/** The same refusal of numbers that are known before the run. */
export const failed = ({ pythonType, message }: Refusal) => torchError(pythonType, message);

/** 1, if `condition` holds everywhere; without one nothing is checked. */
export function checkedOne(
  emit: Emitter,
  check: Refusal,
  dtype: DType,
  condition: Value | null,
): Value {
  const one = emit.scalar(1, dtype);
  return condition === null ? one : checked(emit, check, one, condition);
}

/** The value, if `condition` holds everywhere: else a table of this one row has no row 1. */
export function checked(emit: Emitter, check: Refusal, value: Value, condition: Value): Value {
  if (numel(condition.shape) === 0) return value;
  const holds = emit.op("Cast", [condition], { to: "int64" });
  const all = emit.op("ReduceMin", [holds, null], { keepdims: 0 });
  const fails = emit.op("Sub", [emit.scalar(1, "int64"), all]);
  const table = reshapeTo(emit, value, [1, ...value.shape]);
  const refusal = { ...check, isOfNumbers: true } as const;
  return writtenAs(emit, { ...emit.origin, refusal }, emit.gradMode, () =>
    emit.op("Gather", [table, fails], { axis: 0 }),
  );
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
