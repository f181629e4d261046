/** Norms, distances, and what is divided by them. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo, expandTo, zerosOf } from "../../ops/write.ts";
import {
  bool,
  type DTypeArg,
  either,
  float,
  int,
  ints,
  optional,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { cppName } from "../dispatch.ts";
import { kindOf } from "../kernels.ts";
import { computeType, heldAs, isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { modulus } from "./complexFunctions.ts";
import { withSlope } from "./curves.ts";
import { unreached } from "./derivatives.ts";
import { broadcastBatch } from "./matmul.ts";
import {
  askedType,
  axesOf,
  broadcastBack,
  dims,
  isNonzero,
  keepdim,
  reduce,
  resultDType,
} from "./reduction.ts";

const order = withDefault(either(float, text), 2 as number | string);

/** (Σ |x|^p)^(1/p) over axes; its gradient at 0 is 0. */
export function vectorNorm(
  emit: CallContext["emit"],
  x: Value,
  p: number,
  axes: readonly number[],
  keep: boolean,
): Value {
  if (numel(x.shape) === 0) return ofNothing(emit, x, p, axes, keep);
  if (p === 2) return reduce(emit, "ReduceL2", x, axes, keep);
  if (p === 1) return reduce(emit, "ReduceL1", x, axes, keep);
  if (p === 0) {
    const counts = castTo(emit, isNonzero(emit, x), x.dtype);
    return unreached(emit, reduce(emit, "ReduceSum", counts, axes, keep), x);
  }
  const size = (to: Emit) => to.op("Abs", [x]);
  if (!Number.isFinite(p))
    return reduce(emit, p > 0 ? "ReduceMax" : "ReduceMin", size(emit), axes, keep);
  return withSlope(
    emit,
    x,
    () => {
      const powers = emit.op("Pow", [size(emit), emit.scalar(p, x.dtype)]);
      const sum = reduce(emit, "ReduceSum", powers, axes, keep);
      return emit.op("Pow", [sum, emit.scalar(1 / p, x.dtype)]);
    },
    // dx = sign(x) · (|x| / y)^(p − 1) · dy, and 0 where y or, for p < 1, x is 0.
    (backward, y, d) => {
      const norm = broadcastBack(backward, y, x.shape, axes);
      const zero = backward.scalar(0, x.dtype);
      const ratio = backward.op("Div", [size(backward), norm]);
      const power = backward.op("Pow", [ratio, backward.scalar(p - 1, x.dtype)]);
      const signed = backward.op("Mul", [backward.op("Sign", [x]), power]);
      const isZero = backward.op("Equal", [p < 1 ? x : norm, zero]);
      const slope = backward.op("Where", [isZero, zero, signed]);
      return backward.op("Mul", [slope, broadcastBack(backward, d, x.shape, axes)]);
    },
  );
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

function needFloats(type: TorchType): void {
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
  return { typed: vectorNorm(ctx.emit, size, p, axes, args.keepdim), as: heldAs(type).dtype };
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
  saves: ["input", "result"],
  build: (ctx, { p, ...args }) => {
    if (typeof p === "number") return normOver(ctx, args, p);
    if (p === "fro") return normOver(ctx, args, 2);
    if (p === "nuc") throw singularValues("norm");
    throw torchError("RuntimeError", `linalg.matrix_norm: Order ${p} not supported.`);
  },
});

const singularValues = (name: string) =>
  torchError("UnsupportedCall", `${name} by singular values is not supported`);

export const linalgVectorNorm = torchCall({
  name: "vector_norm",
  in: ["torch.linalg"],
  params: { input: tensor, ord: withDefault(float, 2), dim: dims, keepdim, dtype: resultDType },
  saves: ["input", "result"],
  build: (ctx, { ord, ...args }) => normOver(ctx, args, ord),
});

/** The largest or smallest sum of absolute values of a column (1, −1) or a row (∞, −∞), or "fro". */
function matrixNorm(ctx: CallContext, args: NormArgs, ord: number | string): Typed {
  if (ord === "fro") return normOver(ctx, args, 2);
  if (ord === "nuc" || Math.abs(ord as number) === 2) throw singularValues("matrix_norm");
  const type = askedType(args.dtype, args.input);
  needFloats(type);
  const { emit } = ctx;
  const [row, column] = axesOf(args.dim, args.input.shape.length) as [number, number];
  const overRows = Math.abs(ord as number) === 1;
  const [summed, compared] = overRows ? [row, column] : [column, row];
  const sums = reduce(emit, "ReduceL1", ctx.as(args.input, type), [summed], true);
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
  saves: ["input", "result"],
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
  saves: ["input", "result"],
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

/** x / max(‖x‖, eps) */
export const normalize = torchCall({
  name: "normalize",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    p: withDefault(float, 2),
    dim: { ...dims, fallback: { value: [1] as readonly number[] | null } },
    eps: withDefault(float, 1e-12),
  },
  saves: ["input"],
  build: (ctx, { input, p, dim, eps }) => {
    const { emit } = ctx;
    needFloats(typeOf(input));
    const x = ctx.read(input);
    const found = vectorNorm(emit, x, p, axesOf(dim, input.shape.length), true);
    const size = rounded(emit, found, typeOf(input));
    const divisor = emit.op("Clip", [size, emit.scalar(eps, x.dtype)]);
    return { typed: emit.op("Div", [x, divisor]), as: input.dtype };
  },
});

/** x1 · x2 / (max(‖x1‖, eps) · max(‖x2‖, eps)) along an axis. */
export const cosineSimilarity = torchCall({
  name: "cosine_similarity",
  in: ["torch", "torch.nn.functional"],
  params: {
    x1: tensor,
    x2: tensor,
    dim: withDefault(int, 1),
    eps: withDefault(float, 1e-8),
  },
  savesFor: { x1: ["x1"], x2: ["x2"] },
  build: (ctx, { x1, x2, dim, eps }) => {
    const type = ctx.promote(x1, x2);
    if (!isFloat(type as never))
      throw torchError(
        "RuntimeError",
        `expected common dtype to be floating point, yet common dtype is ${cppName(type)}`,
      );
    const rank = broadcastBatch(x1.shape, x2.shape).length;
    const form = { axes: axesOf([dim], rank), eps, type };
    return { typed: cosine(ctx, ctx.as(x1, type), ctx.as(x2, type), form), as: type };
  },
});

interface Cosine {
  readonly axes: readonly number[];
  readonly eps: number;
  /** What each step is rounded to. */
  readonly type: TorchType;
}

function cosine(ctx: CallContext, a: Value, b: Value, { axes, eps, type }: Cosine): Value {
  const { emit } = ctx;
  const shape = broadcastBatch(a.shape, b.shape);
  const [x, y] = [unit(alongShape(a)), unit(alongShape(b))];
  const products = rounded(emit, emit.op("Mul", [x, y]), type);
  return reduce(emit, "ReduceSum", products, axes, false);

  /** An axis that is compared is as long in both. */
  function alongShape(x: Value): Value {
    const lead = shape.length - x.shape.length;
    const isShort = axes.some((axis) => (x.shape[axis - lead] ?? 1) !== shape[axis]);
    return isShort ? expandTo(emit, x, shape) : x;
  }

  function unit(x: Value): Value {
    const rank = Math.max(a.shape.length, b.shape.length);
    const own = axes.map((axis) => axis - rank + x.shape.length);
    const size = rounded(emit, vectorNorm(emit, x, 2, own, true), type);
    // PyTorch raises the norm to eps where no gradient sees it.
    const raised = withSlope(
      emit,
      size,
      () => emit.op("Clip", [size, emit.scalar(eps, x.dtype)]),
      (_backward, _y, d) => d,
    );
    return rounded(emit, emit.op("Div", [x, raised]), type);
  }
}

/** ‖x1 − x2 + eps‖ over the last axis. */
export const pairwiseDistance = torchCall({
  name: "pairwise_distance",
  in: ["torch", "torch.nn.functional"],
  params: {
    x1: tensor,
    x2: tensor,
    p: withDefault(float, 2),
    eps: withDefault(float, 1e-6),
    keepdim: withDefault(bool, false),
  },
  savesFor: { x1: ["result"], x2: ["result"] },
  build: (ctx, { x1, x2, p, eps, keepdim }) => {
    const type = ctx.promoteToFloat(x1, x2);
    const own = ctx.promote(x1, x2);
    if (own === "bool")
      throw torchError(
        "NotImplementedError",
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
      );
    if (kindOf(own) === "float")
      return {
        typed: distance(ctx, ctx.as(x1, type), ctx.as(x2, type), { p, eps, keepdim, type }),
        as: type,
      };
    // Integers are subtracted as such, and wrap.
    const gap = ctx.emit.op("Sub", [ctx.as(x1, own), ctx.as(x2, own)]);
    const zero = ctx.emit.scalar(0, computeType(type));
    const wide = castTo(ctx.emit, gap, computeType(type));
    return { typed: distance(ctx, wide, zero, { p, eps, keepdim, type }), as: type };
  },
});

interface Distance {
  readonly p: number;
  readonly eps: number;
  readonly keepdim: boolean;
  /** What each step is rounded to. */
  readonly type: TorchType;
}

export function distance(
  ctx: CallContext,
  a: Value,
  b: Value,
  { p, eps, keepdim, type }: Distance,
): Value {
  const { emit } = ctx;
  broadcastBatch(a.shape, b.shape);
  const gap = rounded(emit, emit.op("Sub", [a, b]), type);
  const shifted = rounded(emit, emit.op("Add", [gap, emit.scalar(eps, a.dtype)]), type);
  return vectorNorm(emit, shifted, p, [shifted.shape.length - 1], keepdim);
}

/** ‖input − other‖ of all elements. */
export const dist = torchCall({
  name: "dist",
  in: ["torch", "Tensor"],
  params: { input: tensor, other: tensor, p: withDefault(float, 2) },
  savesFor: { input: ["input", "other", "result"], other: ["input", "other", "result"] },
  build: (ctx, { input, other, p }) => {
    const type = ctx.promote(input, other);
    const difference = ctx.emit.op("Sub", [ctx.as(input, type), ctx.as(other, type)]);
    const axes = axesOf(null, difference.shape.length);
    return { typed: vectorNorm(ctx.emit, difference, p, axes, false), as: type };
  },
});

/** Distances of all pairs of rows. */
export const cdist = torchCall({
  name: "cdist",
  in: ["torch"],
  params: {
    x1: tensor,
    x2: tensor,
    p: withDefault(float, 2),
    compute_mode: optional(text),
  },
  saves: ["x1", "x2", "result"],
  build: (ctx, { x1, x2, p }) => {
    const { emit } = ctx;
    const [columns, others] = [x1.shape.at(-1) as number, x2.shape.at(-1) as number];
    if (columns !== others)
      throw torchError(
        "RuntimeError",
        `X1 and X2 must have the same number of columns. X1: ${columns} X2: ${others}`,
      );
    const type = ctx.promote(x1, x2);
    const rows = emit.op("Unsqueeze", [ctx.as(x1, type), emit.ints([-2])]);
    const against = emit.op("Unsqueeze", [ctx.as(x2, type), emit.ints([-3])]);
    const pairs = emit.op("Sub", [rows, against]);
    return { typed: vectorNorm(emit, pairs, p, [pairs.shape.length - 1], false), as: type };
  },
});
