/** What is divided by a norm, and the norms of differences. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo, clipTo, expandTo } from "../../ops/write.ts";
import { bool, float, int, optional, tensor, text, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { differenceOfTruths, kindOf } from "../kernels.ts";
import { computeType, type TorchType, typeOf } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import { isContiguous, type Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { expandedStrides } from "../views.ts";
import { withSlope } from "./curves.ts";
import { quotientOf } from "./kernelSlopes.ts";
import { broadcastBatch } from "./matmulErrors.ts";
import { axesOf, dims, reduce } from "./reduction.ts";
import { type Held, heldFloat, typedCalls } from "./typedKernels.ts";
import { needFloats, vectorNorm } from "./vectorNorm.ts";

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
    const axes = axesOf(dim, input.shape.length);
    const size = vectorNorm(emit, x, p, axes, true, typeOf(input));
    const divisor = clipTo(emit, size, emit.scalar(eps, x.dtype), null);
    return { typed: quotientOf(emit, x, divisor, typeOf(input)), as: input.dtype };
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
    const sides = [x1, x2].map((x) => heldFloat(ctx, x, type)) as [Held, Held];
    return { typed: cosine(ctx, sides, form), as: type };
  },
});

interface Cosine {
  readonly axes: readonly number[];
  readonly eps: number;
  /** The type of the result; each side is divided in its own. */
  readonly type: TorchType;
}

function cosine(
  ctx: CallContext,
  [a, b]: readonly [Held, Held],
  { axes, eps, type: common }: Cosine,
): Value {
  const { emit } = ctx;
  const shape = broadcastBatch(a.value.shape, b.value.shape);
  const products = typedCalls(ctx).op("Mul", unit(a), unit(b));
  return reduce(emit, "ReduceSum", castTo(emit, products.value, computeType(common)), axes, false);

  /** An axis that is compared is as long in both. */
  function alongShape(x: Value): Value {
    const lead = shape.length - x.shape.length;
    const isShort = axes.some((axis) => (x.shape[axis - lead] ?? 1) !== shape[axis]);
    return isShort ? expandTo(emit, x, shape) : x;
  }

  function unit({ value, type }: Held): Held {
    const x = alongShape(value);
    const rank = Math.max(a.value.shape.length, b.value.shape.length);
    const own = axes.map((axis) => axis - rank + x.shape.length);
    const size = vectorNorm(emit, x, 2, own, true, type);
    // PyTorch raises the norm to eps where no gradient sees it.
    const raised = withSlope(
      emit,
      size,
      () => clipTo(emit, size, emit.scalar(eps, x.dtype), null),
      (_backward, _y, d) => d,
    );
    return { value: rounded(emit, quotientOf(emit, x, raised, type), type), type };
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
    if (own === "bool") throw differenceOfTruths();
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
  /** The type of the result; each side is divided in its own. */
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
  return vectorNorm(emit, shifted, p, [shifted.shape.length - 1], keepdim, type);
}

/** ‖input − other‖ of all elements. */
export const dist = torchCall({
  name: "dist",
  in: ["torch", "Tensor"],
  params: { input: tensor, other: tensor, p: withDefault(float, 2) },
  savesFor: { input: ["input", "other", "result"], other: ["input", "other", "result"] },
  build: (ctx, { input, other, p }) => {
    const type = ctx.promote(input, other);
    needFloats(type);
    const difference = ctx.emit.op("Sub", [ctx.as(input, type), ctx.as(other, type)]);
    const axes = axesOf(null, difference.shape.length);
    const gap = rounded(ctx.emit, difference, type);
    return { typed: vectorNorm(ctx.emit, gap, p, axes, false, type), as: type };
  },
});

/** Whether PyTorch computes distances by a product of matrices. */
function byProducts(p: number, mode: string | null, x1: Tensor, x2: Tensor): boolean {
  if (p !== 2 || mode === "donot_use_mm_for_euclid_dist") return false;
  const isLarge = [x1, x2].some(({ shape }) => (shape.at(-2) ?? 0) > 25);
  return mode === "use_mm_for_euclid_dist" || isLarge;
}

/** Whether a product of matrices computes with `x` itself: batches are spread first and laid out densely. */
function multipliesItself(x: Tensor, other: Tensor): boolean {
  const batch = broadcastBatch(x.shape.slice(0, -2), other.shape.slice(0, -2));
  if (numel(batch) === 1) return true;
  const shape = [...batch, ...x.shape.slice(-2)];
  return isContiguous(shape, expandedStrides(x, shape));
}

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
  saves: ({ x1, x2, p, compute_mode }) => {
    const isKept = (x: Tensor, other: Tensor) =>
      !byProducts(p, compute_mode, x1, x2) || multipliesItself(x, other);
    return [
      ...(isKept(x1, x2) ? ["x1" as const] : []),
      ...(isKept(x2, x1) ? ["x2" as const] : []),
      "result",
    ];
  },
  build: (ctx, { x1, x2, p }) => {
    const { emit } = ctx;
    for (const [name, x] of [["X1", x1] as const, ["X2", x2] as const])
      if (!isFloat(x.dtype))
        throw torchError(
          "RuntimeError",
          `cdist only supports floating-point dtypes, ${name} got: ${cppName(typeOf(x))}`,
        );
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
