/** Attention as PyTorch's fused kernel for half precision computes it, block by block. */
import type { Emit, Value } from "../../graph/graph.ts";
import { reshapeTo, sliceAxis } from "../../ops/write.ts";
import type { TorchType } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import { sumInTurn } from "./halfSums.ts";

/** Numbers that a vector register holds: a row's rest is computed one by one. */
const lanes = 16;

export interface HalfWeights {
  /** e^(x − max), rounded to the type. */
  readonly powers: Value;
  /** 1 / Σ e^(x − max), of the powers that are not rounded yet. */
  readonly share: Value;
  /** The weights as the backward pass computes them again. */
  readonly weights: Value;
}

/**
 * Of logits[…, queries, keys]. The first `seen` keys are those that a block of queries computes with;
 * a row that the mask leaves nothing is 0.
 */
export function halfWeights(
  emit: Emit,
  logits: Value,
  seen: number,
  mayLeaveNothing: boolean,
  type: TorchType,
): HalfWeights {
  const zero = emit.scalar(0, logits.dtype);
  const lowest = emit.scalar(Number.NEGATIVE_INFINITY, logits.dtype);
  const instead = (x: Value, of: Value, by: Value) =>
    mayLeaveNothing ? emit.op("Where", [emit.op("Equal", [x, of]), by, x]) : x;
  const most = emit.op("ReduceMax", [logits, emit.ints([-1])], { keepdims: 1 });
  const top = instead(most, lowest, zero);
  const powers = powersOf(emit, emit.op("Sub", [logits, top]), seen);
  const sum = emit.op("ReduceSum", [powers, emit.ints([-1])], { keepdims: 1 });
  const total = instead(sum, zero, emit.scalar(1, sum.dtype));
  const logOfSum = emit.op("Add", [top, emit.op("Log", [total])]);
  return {
    powers: rounded(emit, powers, type),
    share: emit.op("Reciprocal", [total]),
    weights: emit.op("Exp", [emit.op("Sub", [logits, logOfSum])]),
  };
}

/** e^x of rows: whole vectors by a polynomial, the rest exactly. */
function powersOf(emit: Emit, x: Value, seen: number): Value {
  const axis = x.shape.length - 1;
  const [size, whole] = [x.shape[axis] as number, Math.floor(seen / lanes) * lanes];
  if (whole === 0) return emit.op("Exp", [x]);
  const quick = quickPower(emit, sliceAxis(emit, x, axis, 0, whole));
  if (whole === size) return quick;
  const rest = emit.op("Exp", [sliceAxis(emit, x, axis, whole, size)]);
  return emit.op("Concat", [quick, rest], { axis });
}

/** Of the fraction of a power of 2: what a line between two powers is too high by. */
const excess = [
  0.00010703434948458272, 0.3035426050064968, -0.22433836478672356, -0.07920424021977,
];
/** ln of the smallest normal number: below there is 0. */
const smallest = -87.33654;
const mantissa = 2 ** 23;

/**
 * e^x to four digits: x / ln 2 is written into the bits of a number in single precision, as a line between
 * the powers of 2, less a polynomial. Malossi et al. 2015, Fast Exponential Computation on SIMD Architectures.
 */
function quickPower(emit: Emit, x: Value): Value {
  const number = (value: number) => emit.scalar(value, x.dtype);
  const scaled = emit.op("Mul", [x, number(Math.LOG2E)]);
  const fraction = emit.op("Sub", [scaled, emit.op("Floor", [scaled])]);
  const [last, ...others] = excess.toReversed() as [number, ...number[]];
  const high = others.reduce(
    (sum, factor) => emit.op("Add", [emit.op("Mul", [sum, fraction]), number(factor)]),
    number(last),
  );
  // The bits as a number, whose own precision is lost first.
  const exponent = emit.op("Mul", [emit.op("Sub", [scaled, high]), number(mantissa)]);
  const bits = emit.op("Add", [exponent, number(127 * mantissa)]);
  const shifted = emit.op("Mul", [bits, number(1 / mantissa)]);
  const power = emit.op("Floor", [shifted]);
  const line = emit.op("Add", [emit.op("Sub", [shifted, power]), number(1)]);
  const two = emit.op("Pow", [number(2), emit.op("Sub", [power, number(127)])]);
  const isNothing = emit.op("Less", [x, number(smallest)]);
  return emit.op("Where", [isNothing, number(0), emit.op("Mul", [two, line])]);
}

/** How many queries PyTorch takes at once. */
function blockOf(queries: number): number {
  if (queries >= 768) return 256;
  return queries >= 192 ? 64 : 32;
}

/**
 * left[…, heads, width, queries] · right[…, heads, queries, keys], of which each block of queries is added to
 * the half precision, for `repeats` heads one after another.
 */
export function overBlocks(
  emit: Emit,
  left: Value,
  right: Value,
  repeats: number,
  type: TorchType,
): Value {
  const queries = left.shape.at(-1) as number;
  const block = blockOf(queries);
  if (queries <= block && repeats === 1) return emit.op("MatMul", [left, right]);
  const count = Math.ceil(queries / block);
  const parts = Array.from({ length: repeats * count }, (_, step) => {
    const head = Math.floor(step / count);
    const from = (step % count) * block;
    const end = Math.min(from + block, queries);
    const [x, y] = [left, right].map((all) => headOf(emit, all, head, repeats)) as [Value, Value];
    const columns = sliceAxis(emit, x, x.shape.length - 1, from, end);
    const rows = sliceAxis(emit, y, y.shape.length - 2, from, end);
    return emit.op("MatMul", [columns, rows]);
  });
  const [first, ...others] = parts as [Value, ...Value[]];
  return sumInTurn(emit, [rounded(emit, first, type), ...others], type);
}

/** The `at`th of each `repeats` heads. */
function headOf(emit: Emit, x: Value, at: number, repeats: number): Value {
  if (repeats === 1) return x;
  const [heads, ...matrix] = x.shape.slice(-3) as [number, number, number];
  const batch = x.shape.slice(0, -3);
  const grouped = reshapeTo(emit, x, [...batch, heads / repeats, repeats, ...matrix]);
  const one = sliceAxis(emit, grouped, batch.length + 1, at, at + 1);
  return reshapeTo(emit, one, [...batch, heads / repeats, ...matrix]);
}
