/** Norms, distances, and what is divided by them. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo, signOf, zerosOf } from "../../ops/write.ts";
import {
  type DTypeArg,
  either,
  float,
  ints,
  optional,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { heldAs, isComplexType, type TorchType } from "../promotion.ts";
import { rounded, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { leavePartsToPython, leaveToPython } from "../writtenInPython.ts";
import { modulus } from "./complexFunctions.ts";
import { withSlope } from "./curves.ts";
import { unreached } from "./derivatives.ts";
import { inSteps, type Kernels } from "./kernelSlopes.ts";
import {
  askedType,
  axesOf,
  broadcastBack,
  dims,
  isNonzero,
  keepdim,
  nanWhereAny,
  reduce,
  resultDType,
} from "./reduction.ts";

const order = withDefault(either(float, text), 2 as number | string);

/** (Σ |x|^p)^(1/p) over axes, as `type` holds it; its gradient at 0 is 0. */
export function vectorNorm(
  emit: CallContext["emit"],
  x: Value,
  p: number,
  axes: readonly number[],
  keep: boolean,
  type: TorchType = x.dtype,
): Value {
  if (numel(x.shape) === 0) return ofNothing(emit, x, p, axes, keep);
  if (roundsSteps(type)) {
    const write = () => rounded(emit, vectorNorm(emit, x, p, axes, keep), type);
    const wide = (to: Emit, value: Value) => broadcastBack(to, value, x.shape, axes);
    return inSteps(emit, type, [x], write, (kernels, d, _x, y) => [
      p === 0 ? kernels.op("Mul", x, 0) : slopeInSteps(kernels, x, p, y, d, { wide, axes }),
    ]);
  }
  if (p === 2 && isAlone(x, axes)) return lengthAlone(emit, x, axes, keep);
  if (p === 2) return reduce(emit, "ReduceL2", x, axes, keep);
  if (p === 1) return reduce(emit, "ReduceL1", x, axes, keep);
  if (p === 0) {
    const counts = castTo(emit, isNonzero(emit, x), x.dtype);
    return unreached(emit, reduce(emit, "ReduceSum", counts, axes, keep), x);
  }
  if (!Number.isFinite(p))
    return extremeSize(emit, x, p > 0 ? "ReduceMax" : "ReduceMin", axes, keep);
  return withSlope(
    emit,
    x,
    () => {
      if (isAlone(x, axes)) return reduce(emit, "ReduceL1", x, axes, keep);
      const powers = emit.op("Pow", [emit.op("Abs", [x]), emit.scalar(p, x.dtype)]);
      const sum = reduce(emit, "ReduceSum", powers, axes, keep);
      return emit.op("Pow", [sum, emit.scalar(1 / p, x.dtype)]);
    },
    (backward, y, d) => slopeOfPowers(backward, x, p, axes, y, d),
  );
}

/** Norms of single elements are their sizes: nothing is squared. */
const isAlone = (x: Value, axes: readonly number[]): boolean =>
  axes.every((axis) => x.shape[axis] === 1);

function lengthAlone(
  emit: CallContext["emit"],
  x: Value,
  axes: readonly number[],
  keep: boolean,
): Value {
  return withSlope(
    emit,
    x,
    () => reduce(emit, "ReduceL1", x, axes, keep),
    (backward, y, d) => slopeOfPowers(backward, x, 2, axes, y, d),
  );
}

/**
 * PyTorch's gradient of y = (Σ |x|^p)^(1/p), in its steps, which decide what overflows:
 * sign(x) · |x|^(p − 1) · dy · y^(1 − p) for p < 1, where a norm that is no number is so at 0, too;
 * x · |x|^(p − 2) · dy / y^(p − 1) for larger ones.
 */
function slopeOfPowers(
  emit: Emit,
  x: Value,
  p: number,
  axes: readonly number[],
  y: Value,
  d: Value,
): Value {
  const power = (base: Value, exponent: number) =>
    emit.op("Pow", [base, emit.scalar(exponent, x.dtype)]);
  const zero = emit.scalar(0, x.dtype);
  const exceptAtZero = (at: Value, slope: Value, there = zero) =>
    emit.op("Where", [emit.op("Equal", [at, zero]), there, slope]);
  const back = (reduced: Value) => broadcastBack(emit, reduced, x.shape, axes);
  const size = emit.op("Abs", [x]);
  const signed = () => emit.op("Mul", [signOf(emit, x), power(size, p - 1)]);
  if (p < 1) {
    const share = emit.op("Mul", [exceptAtZero(x, signed()), back(d)]);
    return emit.op("Mul", [share, back(power(y, 1 - p))]);
  }
  const sized = p < 2 ? signed() : emit.op("Mul", [x, power(size, p - 2)]);
  // Of lengths not even 0 is kept from a gradient that is no number.
  const nothing = p === 2 ? emit.op("Mul", [d, zero]) : zero;
  const scale = exceptAtZero(y, emit.op("Div", [d, power(y, p - 1)]), nothing);
  return emit.op("Mul", [sized, back(scale)]);
}

/** The largest or smallest |x|; those that attain it, NaN where it is NaN, share the gradient. */
function extremeSize(
  emit: CallContext["emit"],
  x: Value,
  op: "ReduceMax" | "ReduceMin",
  axes: readonly number[],
  keep: boolean,
): Value {
  const size = emit.op("Abs", [x]);
  return withSlope(
    emit,
    x,
    () => nanWhereAny(emit, x, reduce(emit, op, size, axes, keep), axes, keep),
    (backward, y, d) => {
      const [norm, dy] = [y, d].map((value) => broadcastBack(backward, value, x.shape, axes)) as [
        Value,
        Value,
      ];
      const areNan = backward.op("And", [backward.op("IsNaN", [x]), backward.op("IsNaN", [norm])]);
      const attains = backward.op("Or", [backward.op("Equal", [size, norm]), areNan]);
      const ties = castTo(backward, attains, x.dtype);
      const count = reduce(backward, "ReduceSum", ties, axes, true);
      const share = backward.op("Mul", [backward.op("Div", [dy, count]), ties]);
      return backward.op("Mul", [signOf(backward, x), share]);
    },
  );
}

interface Span {
  /** A result as wide as what it was computed of. */
  readonly wide: (emit: Emit, value: Value) => Value;
  readonly axes: readonly number[];
}

/** PyTorch's gradient of the p-norm `y` of x, kernel by kernel; 0 where the norm is 0. */
function slopeInSteps(
  { op, whole, power }: Kernels,
  x: Value,
  p: number,
  y: Value,
  d: Value,
  { wide, axes }: Span,
): Value {
  const [norm, dy] = [y, d].map((value) => whole((emit) => wide(emit, value))) as [Value, Value];
  const size = op("Abs", x);
  const sign = () => whole((emit) => signOf(emit, x));
  if (p === 1) return op("Mul", sign(), dy);
  const isZero = op("Equal", norm, 0);
  if (p === 2) return op("Mul", dy, op("Where", isZero, 0, op("Div", x, norm)));
  if (!Number.isFinite(p)) {
    const attains = op("Or", op("Equal", size, norm), op("IsNaN", size));
    const mask = whole((emit) => castTo(emit, attains, x.dtype));
    const count = whole((emit) => wide(emit, reduce(emit, "ReduceSum", mask, axes, true)));
    return op("Mul", sign(), op("Mul", op("Div", dy, count), mask));
  }
  if (p < 1) {
    const powers = op("Mul", sign(), power(size, p - 1));
    const scaled = op("Where", op("Equal", x, 0), 0, powers);
    return op("Mul", op("Mul", scaled, dy), power(norm, 1 - p));
  }
  const scaled = p < 2 ? op("Mul", sign(), power(size, p - 1)) : op("Mul", x, power(size, p - 2));
  return op("Mul", scaled, op("Where", isZero, 0, op("Div", dy, power(norm, p - 1))));
}

function ofNothing(
  emit: CallContext["emit"],
  x: Value,
  p: number,
  axes: readonly number[],
  keep: boolean,
): Value {
  const empty = axes.some((axis) => x.shape[axis] === 0);
  if (empty && (p < 0 || p === Number.POSITIVE_INFINITY))
    throw torchError(
      "RuntimeError",
      `linalg.vector_norm cannot compute the ${p === Number.POSITIVE_INFINITY ? "inf" : p} norm on an empty tensor because the operation does not have an identity`,
    );
  return reduce(emit, "ReduceSum", x, axes, keep);
}

export function needFloats(type: TorchType): void {
  if (!isComplexType(type) && !isFloat(type))
    throw torchError(
      "NotImplementedError",
      `linalg.vector_norm: Expected a floating point or complex tensor as input. Got ${cppName(type)}`,
    );
}

interface NormArgs {
  readonly input: Tensor;
  readonly dim: readonly number[] | null;
  readonly keepdim: boolean;
  readonly dtype: DTypeArg | null;
}

function normOver(ctx: CallContext, args: NormArgs, p: number): Typed {
  const type = askedType(args.dtype, args.input);
  needFloats(type);
  const axes = axesOf(args.dim, args.input.shape.length);
  const x = ctx.as(args.input, type);
  const size = isComplexType(type) ? modulus(ctx.emit, x) : x;
  const typed = vectorNorm(ctx.emit, size, p, axes, args.keepdim, heldAs(type).dtype);
  return { typed, as: heldAs(type).dtype };
}

/** torch.norm: of all elements where no axis is named, whatever the rank. */
export const norm = torchCall({
  name: "norm",
  in: ["torch", "Tensor"],
  params: {
    input: tensor,
    p: { ...order, fallback: { value: "fro" as number | string } },
    dim: dims,
    keepdim,
    dtype: resultDType,
  },
  saves: ({ p }) => (p === "nuc" ? [] : ["input", "result"]),
  build: (ctx, { p, ...args }) => {
    if (typeof p === "number") return normOver(ctx, args, p);
    if (p === "fro") return normOver(ctx, args, 2);
    if (p === "nuc") leavePartsToPython();
    throw torchError("RuntimeError", `linalg.matrix_norm: Order ${p} not supported.`);
  },
});

export const linalgVectorNorm = torchCall({
  name: "vector_norm",
  in: ["torch.linalg"],
  params: { input: tensor, ord: withDefault(float, 2), dim: dims, keepdim, dtype: resultDType },
  saves: ["input", "result"],
  build: (ctx, { ord, ...args }) => normOver(ctx, args, ord),
});

/** The largest or smallest sum of absolute values of a column (1, −1) or a row (∞, −∞), or "fro". */
function matrixNorm(ctx: CallContext, args: NormArgs, ord: number | string): Typed {
  if (args.input.shape.length < 2)
    throw torchError(
      "RuntimeError",
      "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.",
    );
  if (ord === "fro") return normOver(ctx, args, 2);
  if (ord === "nuc" || Math.abs(ord as number) === 2) leavePartsToPython();
  if (args.input.isComplex) leaveToPython();
  const type = askedType(args.dtype, args.input);
  needFloats(type);
  const { emit } = ctx;
  const [row, column] = axesOf(args.dim, args.input.shape.length) as [number, number];
  const overRows = Math.abs(ord as number) === 1;
  const [summed, compared] = overRows ? [row, column] : [column, row];
  const sums = vectorNorm(emit, ctx.as(args.input, type), 1, [summed], true, type);
  const isLargest = (ord as number) > 0;
  const isNothing = sums.shape[compared] === 0;
  if (isNothing && !isLargest)
    throw torchError(
      "IndexError",
      `amin(): Expected reduction dim ${compared} to have non-zero size.`,
    );
  // The largest of nothing is a 0 that nothing was computed of.
  const extreme = isNothing
    ? zerosOf(emit, sums.dtype, sums.shape.with(compared, 1))
    : reduce(emit, isLargest ? "ReduceMax" : "ReduceMin", sums, [compared], true);
  const kept = emit.ints([row, column]);
  return { typed: args.keepdim ? extreme : emit.op("Squeeze", [extreme, kept]), as: type };
}

/** The gradient of such a norm is that of the decomposition, which has tensors of its own. */
const isBySingularValues = (ord: number | string | null): boolean =>
  ord === "nuc" || ord === 2 || ord === -2;

export const linalgMatrixNorm = torchCall({
  name: "matrix_norm",
  in: ["torch.linalg"],
  params: {
    input: tensor,
    ord: withDefault(either(float, text), "fro" as number | string),
    dim: withDefault(ints, [-2, -1]),
    keepdim,
    dtype: resultDType,
  },
  saves: ({ ord }) => (isBySingularValues(ord) ? [] : ["input", "result"]),
  build: (ctx, { ord, ...args }) => matrixNorm(ctx, args, ord),
});

/** Of a matrix where `ord` is given and two axes are meant; else of a vector. */
export const linalgNorm = torchCall({
  name: "norm",
  key: "linalg_norm",
  in: ["torch.linalg"],
  params: {
    input: tensor,
    ord: optional(either(float, text)),
    dim: dims,
    keepdim,
    dtype: resultDType,
  },
  saves: ({ input, ord, dim }) =>
    (dim?.length ?? input.shape.length) === 2 && isBySingularValues(ord) ? [] : ["input", "result"],
  build: (ctx, { ord, ...args }) => {
    const rank = args.dim?.length ?? args.input.shape.length;
    if (ord === null) return normOver(ctx, args, 2);
    if (args.dim === null && rank > 2)
      throw torchError(
        "RuntimeError",
        `linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ${rank}D.`,
      );
    if (rank === 2) return matrixNorm(ctx, { ...args, dim: args.dim ?? [-2, -1] }, ord);
    return normOver(ctx, args, ord as number);
  },
});
