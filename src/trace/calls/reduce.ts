/** Sums, products and counts over axes. */

import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo, sliceAxis } from "../../ops/write.ts";
import { int, ints, optional, tensor } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { needFloats } from "../kernels.ts";
import { category, isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { inKernels, rounded, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { holding } from "./create.ts";
import { withSlope } from "./curves.ts";
import { besideComplex } from "./derivatives.ts";
import { halfProduct } from "./halfProduct.ts";
import { inSteps } from "./kernelSlopes.ts";
import {
  askedType,
  axesOf,
  broadcastBack,
  dims,
  isNonzero,
  keepdim,
  needFloat,
  reduce,
  resultDType,
  sumType,
} from "./reduction.ts";

const both = ["torch", "Tensor"] as const;
const overDims = { input: tensor, dim: dims, keepdim, dtype: resultDType };

export const sum = torchCall({
  name: "sum",
  in: both,
  params: overDims,
  build: (ctx, { input, dim, keepdim, dtype }) => {
    const type = sumType(ctx, dtype, input);
    const axes = axesOf(dim, input.shape.length);
    const x = besideComplex(ctx, input, type);
    if (type === "bool")
      return { typed: ofTruths(ctx.emit, "ReduceMax", x, axes, keepdim), as: type };
    return { typed: reduce(ctx.emit, "ReduceSum", x, axes, keepdim), as: type };
  },
});

export const nansum = torchCall({
  name: "nansum",
  in: both,
  params: overDims,
  saves: ["input"],
  build: (ctx, { input, dim, keepdim, dtype }) => {
    const { emit } = ctx;
    const type = sumType(ctx, dtype, input);
    if (isFloat(input.dtype) && isComplexType(type)) needFloats("nansum_cpu", type);
    if (!isFloat(input.dtype) || category(type) < 2)
      return sum.build(ctx, { input, dim, keepdim, dtype });
    const numbers = withoutNan(emit, ctx.as(input, type));
    const axes = axesOf(dim, input.shape.length);
    return { typed: reduce(emit, "ReduceSum", numbers, axes, keepdim), as: type };
  },
});

export const mean = torchCall({
  name: "mean",
  in: both,
  params: overDims,
  build: (ctx, { input, dim, keepdim, dtype }) => {
    const type = askedType(dtype, input);
    needFloat("mean", type);
    const axes = axesOf(dim, input.shape.length);
    const x = besideComplex(ctx, input, type);
    return { typed: reduce(ctx.emit, "ReduceMean", x, axes, keepdim, Number.NaN), as: type };
  },
});

export const nanmean = torchCall({
  name: "nanmean",
  in: both,
  params: overDims,
  saves: ["input"],
  build: (ctx, { input, dim, keepdim, dtype }) => {
    const { emit } = ctx;
    const type = askedType(dtype, input);
    if (!isFloat(input.dtype))
      throw torchError(
        "NotImplementedError",
        `nanmean(): expected input to have floating point or complex dtype but got ${cppName(typeOf(input))}`,
      );
    const x = ctx.as(input, type);
    const axes = axesOf(dim, input.shape.length);
    const over = (value: typeof x) => reduce(emit, "ReduceSum", value, axes, keepdim);
    return { typed: emit.op("Div", [over(withoutNan(emit, x)), over(present(emit, x))]), as: type };
  },
});

/** 1 where x is a number, 0 where it is NaN. */
const present = (emit: Emit, x: Value): Value =>
  castTo(emit, emit.op("Not", [emit.op("IsNaN", [x])]), x.dtype);

/** x with 0 for NaN. Its gradient is a product: what is no number reaches the places of NaN too. */
const withoutNan = (emit: CallContext["emit"], x: Value): Value =>
  withSlope(
    emit,
    x,
    () => emit.op("Where", [emit.op("IsNaN", [x]), emit.scalar(0, x.dtype), x]),
    (backward, _y, d) => backward.op("Mul", [d, present(backward, x)]),
  );

export const prod = torchCall({
  name: "prod",
  in: both,
  params: { input: tensor, dim: optional(int), keepdim, dtype: resultDType },
  saves: ["input", "result"],
  build: (ctx, { input, dim, keepdim, dtype }) => {
    const type = sumType(ctx, dtype, input);
    if (isComplexType(type)) leaveToPython();
    const axes = axesOf(dim === null ? null : [dim], input.shape.length);
    const x = ctx.as(input, type);
    if (type === "bool")
      return { typed: ofTruths(ctx.emit, "ReduceMin", x, axes, keepdim), as: type };
    if (roundsSteps(type))
      return { typed: halfProduct(ctx.emit, x, axes, keepdim, type), as: type };
    const typed =
      type === "int64"
        ? wholeProduct(ctx.emit, x, axes, keepdim)
        : reduce(ctx.emit, "ReduceProd", x, axes, keepdim, 1);
    return { typed, as: type };
  },
});

/** high + ln Σ e^(x − high), with the gradient d · e^(x − y). */
function logSumInSteps(
  emit: CallContext["emit"],
  x: Value,
  axes: readonly number[],
  keepdim: boolean,
  type: TorchType,
): Value {
  const step = inKernels(emit, type);
  const over = (op: "ReduceMax" | "ReduceSum", value: Value) =>
    rounded(emit, reduce(emit, op, value, axes, keepdim), type);
  const write = () => {
    const most = over("ReduceMax", x);
    const high = emit.op("Where", [emit.op("IsInf", [most]), emit.scalar(0, x.dtype), most]);
    const wide = broadcastBack(emit, high, x.shape, axes);
    const sum = over("ReduceSum", step.op("Exp", [step.op("Sub", [x, wide])]));
    return emit.op("Add", [step.op("Log", [sum]), high]);
  };
  return inSteps(emit, type, [x], write, ({ op, whole }, d, _x, y) => {
    const [wide, back] = [y, d].map((value) =>
      whole((to) => broadcastBack(to, value, x.shape, axes)),
    );
    return [op("Mul", back as Value, op("Exp", op("Sub", x, wide as Value)))];
  });
}

/** A product of integers, which wraps: ReduceProd multiplies them as float64. */
function wholeProduct(emit: Emit, x: Value, axes: readonly number[], keep: boolean): Value {
  let products = x;
  for (const axis of axes)
    for (let size = x.shape[axis] as number; size > 1; size = Math.ceil(size / 2))
      products = pairProducts(emit, products, axis, size);
  return reduce(emit, "ReduceProd", products, axes, keep, 1);
}

/** Each element of the first half by its like of the second; one that is left over stays. */
function pairProducts(emit: Emit, x: Value, axis: number, size: number): Value {
  const half = Math.floor(size / 2);
  const part = (start: number, end: number) => sliceAxis(emit, x, axis, start, end);
  const products = emit.op("Mul", [part(0, half), part(half, 2 * half)]);
  return size === 2 * half
    ? products
    : emit.op("Concat", [products, part(2 * half, size)], { axis });
}

export const logsumexp = torchCall({
  name: "logsumexp",
  in: ["torch", "Tensor", "torch.special"],
  params: { input: tensor, dim: ints, keepdim },
  saves: ["input", "result"],
  build: (ctx, { input, dim, keepdim }) => {
    const type = ctx.promoteToFloat(input);
    const axes = axesOf(dim, input.shape.length);
    const x = ctx.as(input, type);
    const write = () =>
      reduce(ctx.emit, "ReduceLogSumExp", x, axes, keepdim, Number.NEGATIVE_INFINITY);
    if (!roundsSteps(type) || numel(x.shape) === 0) return { typed: write(), as: type };
    return { typed: logSumInSteps(ctx.emit, x, axes, keepdim, type), as: type };
  },
});

/** Bool, or uint8 of uint8: the smallest or the largest truth over the axes; over none each its own. */
function truth(
  ctx: CallContext,
  input: Tensor,
  dim: readonly number[] | null,
  keepdim: boolean,
  op: "ReduceMin" | "ReduceMax",
): Typed {
  const { emit } = ctx;
  const as = input.dtype === "uint8" ? "uint8" : "bool";
  if (dim?.length === 0) return { typed: castTo(emit, truthOf(ctx, input), "bool"), as };
  const axes = axesOf(dim, input.shape.length);
  return { typed: ofTruths(emit, op, truthOf(ctx, input), axes, keepdim), as };
}

/** The smallest or the largest truth over axes: their product and their sum. */
function ofTruths(
  emit: Emit,
  op: "ReduceMin" | "ReduceMax",
  x: Value,
  axes: readonly number[],
  keepdim: boolean,
): Value {
  const ofNothing = op === "ReduceMin" ? 1 : 0;
  return castTo(emit, reduce(emit, op, castTo(emit, x, "int32"), axes, keepdim, ofNothing), "bool");
}

const truthOf = (ctx: CallContext, input: Tensor): Value =>
  input.isComplex
    ? ctx.store.read(holding(ctx, input))
    : isNonzero(ctx.emit, ctx.store.read(input));

export const all = torchCall({
  name: "all",
  in: both,
  params: { input: tensor, dim: dims, keepdim },
  build: (ctx, { input, dim, keepdim }) => truth(ctx, input, dim, keepdim, "ReduceMin"),
});

export const any = torchCall({
  name: "any",
  in: both,
  params: { input: tensor, dim: dims, keepdim },
  build: (ctx, { input, dim, keepdim }) => truth(ctx, input, dim, keepdim, "ReduceMax"),
});

export const countNonzero = torchCall({
  name: "count_nonzero",
  in: both,
  params: { input: tensor, dim: dims },
  build: (ctx, { input, dim }) => {
    const { emit } = ctx;
    const counted = castTo(emit, truthOf(ctx, input), "int64");
    const axes = axesOf(dim, input.shape.length);
    return { typed: reduce(emit, "ReduceSum", counted, axes, false), as: "int64" };
  },
});
