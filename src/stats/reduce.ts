/** The reductions of the first stage, written for one tensor that holds one value or several. */
import type { Emit, Value } from "../graph/graph.ts";
import { bytesOf, isFloat, numel } from "../graph/tensor.ts";

/** Sums for each row of a tensor (what lies along the reduced axes); the host adds rows up. */
export interface Sums {
  readonly sum: Value;
  readonly squares: Value;
  readonly min: Value;
  readonly max: Value;
  /** How many elements are not 0; null: not counted. */
  readonly nonzeros: Value | null;
  /** How many elements are -Infinity, which `sum` … `max` leave out; null: none was looked for. */
  readonly negInf: Value | null;
}

export interface SumsOptions {
  /** Trailing axes of `squares` and counts; null: all, which makes one row. */
  readonly axes: Value | null;
  /** Trailing axes of `sum`, `min` and `max`: fewer cost less. */
  readonly lines: Value | null;
  readonly countsZeros: boolean;
  readonly masked: boolean;
  /** `sum` is of x / scale and `squares` of its squares: for numbers whose squares leave float32. */
  readonly scale: number;
}

const drop = { keepdims: 0 };

export function writeSums(emit: Emit, x: Value, options: SumsOptions): Sums {
  const { axes, lines, countsZeros, masked, scale } = options;
  const hidden = masked ? emit.op("IsInf", [x], { detect_positive: 0 }) : null;
  const without = (filler: number): Value =>
    hidden === null ? x : emit.op("Where", [hidden, emit.scalar(filler, x.dtype), x]);
  const finite = without(0);
  const y = scale === 1 ? finite : emit.op("Mul", [finite, emit.scalar(1 / scale, x.dtype)]);
  return {
    sum: emit.op("ReduceSum", [y, lines], drop),
    squares: writeSquares(emit, y, axes),
    min: emit.op("ReduceMin", [without(Number.POSITIVE_INFINITY), lines], drop),
    max: emit.op("ReduceMax", [x, lines], drop),
    nonzeros: countsZeros ? writeCount(emit, emit.op("Cast", [x], { to: "bool" }), axes) : null,
    negInf: hidden === null ? null : writeCount(emit, hidden, axes),
  };
}

/** Over some axes ReduceSumSquare adds element by element; over all, and ReduceSum, in vector lanes. */
function writeSquares(emit: Emit, x: Value, axes: Value | null): Value {
  if (axes === null) return emit.op("ReduceSumSquare", [x, null], drop);
  return emit.op("ReduceSum", [emit.op("Mul", [x, x]), axes], drop);
}

/** How many are true in each row: exact, since float32 counts to 2²⁴ and float64 beyond. */
export function writeCount(emit: Emit, condition: Value, axes: Value | null): Value {
  const reduced = axes?.data?.length ?? condition.shape.length;
  const row = numel(condition.shape.slice(condition.shape.length - reduced));
  const number = emit.op("Cast", [condition], { to: row > 2 ** 24 ? "float64" : "float32" });
  return emit.op("ReduceSum", [number, axes], drop);
}

/**
 * The trailing axes over which a large tensor is summed, so that rows run in parallel and no float32
 * sum is longer than it can bear; the host adds the rows. null: all axes.
 */
export function rowAxes(emit: Emit, shape: readonly number[], wholeLimit: number): Value | null {
  if (numel(shape) <= wholeLimit) return null;
  let kept = 0;
  while (kept < shape.length - 1 && numel(shape.slice(kept)) > rowLimit) kept++;
  if (kept === 0 || numel(shape.slice(0, kept)) > mostRows) return null;
  return emit.ints(shape.slice(kept).map((_, axis) => kept + axis));
}

const rowLimit = 2 ** 16;
const mostRows = 2 ** 16;

/**
 * How far sums of squares over these axes can be off, relative to themselves. Measured: ONNX Runtime
 * adds float32 in four lanes, and a long sum loses to the same side again and again.
 */
export function sumError({ dtype, shape }: Value, axes: Value | null): number {
  if (dtype === "float64") return 1e-12;
  return 1e-7 + 8e-11 * numel(shape.slice(shape.length - (axes?.data?.length ?? shape.length)));
}

/** Something whose sums are exact enough: float32 for half precision, float64 for integers. */
export function widened(emit: Emit, x: Value): Value {
  if (!isFloat(x.dtype)) return emit.op("Cast", [x], { to: "float64" });
  return bytesOf[x.dtype] < 4 ? emit.op("Cast", [x], { to: "float32" }) : x;
}

/** |z| of pairs on the last axis. */
export function writeMagnitude(emit: Emit, pairs: Value): Value {
  const last = emit.ints([pairs.shape.length - 1]);
  const squares = emit.op("ReduceSum", [emit.op("Mul", [pairs, pairs]), last], drop);
  return emit.op("Sqrt", [squares]);
}
