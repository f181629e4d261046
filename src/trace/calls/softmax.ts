/** Softmax and its logarithm. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat, isHalf, numel } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { castTo, reshapeTo } from "../../ops/write.ts";
import type { FloatType } from "../../random/generator.ts";
import {
  bool,
  type DTypeArg,
  dtype,
  float,
  int,
  oneName,
  optional,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { computeType, isComplexType, type TorchType } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { needFloatKernel, withSlope } from "./curves.ts";
import { negationOf } from "./pointwise.ts";
import { fillRandom } from "./random.ts";
import { askedType } from "./reduction.ts";

const everywhere = ["torch", "Tensor", "torch.special"] as const;
const functional = ["torch.nn.functional"] as const;
const params = { input: tensor, dim: int, dtype: optional(dtype) };
/** Only here the axis may be left to a rule. */
const looseParams = {
  input: tensor,
  dim: oneName(optional(int)),
  _stacklevel: withDefault(int, 3),
  dtype: optional(dtype),
};

/** Where no axis is named: the first of 0, 1 or 3 axes, else the second. */
const impliedAxis = (rank: number): number => (rank === 0 || rank === 1 || rank === 3 ? 0 : 1);

function alongAxis(
  ctx: CallContext,
  op: "Softmax" | "LogSoftmax",
  input: Tensor,
  dim: number | null,
  asked: DTypeArg | null,
  negate = false,
): Typed {
  const { emit } = ctx;
  const rank = input.shape.length;
  const axis = wrapDim(dim ?? impliedAxis(rank), rank);
  const type = askedType(asked, input);
  if (numel(input.shape) === 0 && !isComplexType(type))
    return { typed: emit.op("Identity", [ctx.as(input, type)]), as: type };
  if (isComplexType(type) || !isFloat(type)) {
    const kernel = op === "Softmax" ? "softmax" : "log_softmax";
    const place = axis === Math.max(rank - 1, 0) ? "_lastdim" : "";
    throw torchError(
      "NotImplementedError",
      `"${kernel}${place}_kernel_impl" not implemented for '${cppName(type)}'`,
    );
  }
  // What is negated is so in its own type: unsigned integers wrap, of truths there is nothing.
  const x = negate
    ? castTo(emit, negationOf(ctx, input).typed, computeType(type))
    : ctx.as(input, type);
  return { typed: write(x), as: type };

  function write(x: Value): Value {
    if (rank > 0)
      return op === "Softmax" ? emit.op(op, [x], { axis }) : logSoftmaxOf(emit, x, axis, type);
    const flat = emit.op("Reshape", [x, emit.ints([1])]);
    return emit.op("Reshape", [emit.op(op, [flat], { axis: 0 }), emit.ints([])]);
  }
}

/** x − max − ln Σ e^(x − max); PyTorch's kernel for a last axis of half precision rounds the sum, and its logarithm. */
export function logSoftmaxOf(emit: Emitter, x: Value, axis: number, type: TorchType): Value {
  if (x.dtype === "float64" && x.role !== "constant") return wideLogSoftmax(emit, x, axis);
  if (isComplexType(type) || !isHalf(type) || axis !== x.shape.length - 1)
    return emit.op("LogSoftmax", [x], { axis });
  const over = emit.ints([axis]);
  const held = (value: Value) => rounded(emit, value, type);
  return withSlope(
    emit,
    x,
    () => {
      const most = emit.op("ReduceMax", [x, over], { keepdims: 1 });
      const below = emit.op("Sub", [x, most]);
      const sum = emit.op("ReduceSum", [emit.op("Exp", [below]), over], { keepdims: 1 });
      return emit.op("Sub", [below, held(emit.op("Log", [held(sum)]))]);
    },
    (backward, y, d) => {
      const shares = backward.op("Exp", [rounded(backward, y, type)]);
      const sum = backward.op("ReduceSum", [d, over], { keepdims: 1 });
      return backward.op("Sub", [d, backward.op("Mul", [shares, sum])]);
    },
  );
}

/** The kernel in double precision passes over NaN and infinities, which that of the softmax keeps. */
function wideLogSoftmax(emit: Emitter, x: Value, axis: number): Value {
  return withSlope(
    emit,
    x,
    () => {
      const isLost = emit.op("IsNaN", [emit.op("Softmax", [x], { axis })]);
      const kept = emit.op("Where", [isLost, emit.scalar(Number.NaN, x.dtype), x]);
      return emit.op("LogSoftmax", [kept], { axis });
    },
    (backward, y, d) => {
      const sum = backward.op("ReduceSum", [d, backward.ints([axis])], { keepdims: 1 });
      return backward.op("Sub", [d, backward.op("Mul", [backward.op("Exp", [y]), sum])]);
    },
  );
}

export const softmax = torchCall({
  name: "softmax",
  in: everywhere,
  params,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "Softmax", input, dim, dtype),
});

export const functionalSoftmax = torchCall({
  name: "softmax",
  key: "functional.softmax",
  in: functional,
  params: looseParams,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "Softmax", input, dim, dtype),
});

export const logSoftmax = torchCall({
  name: "log_softmax",
  in: everywhere,
  params,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "LogSoftmax", input, dim, dtype),
});

export const functionalLogSoftmax = torchCall({
  name: "log_softmax",
  key: "functional.log_softmax",
  in: functional,
  params: looseParams,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "LogSoftmax", input, dim, dtype),
});

export const softmin = torchCall({
  name: "softmin",
  in: functional,
  params: looseParams,
  saves: ["result"],
  build: (ctx, { input, dim, dtype }) => alongAxis(ctx, "Softmax", input, dim, dtype, true),
});

/** softmax((logits + g) / τ), g of the Gumbel distribution; `hard`: one-hot with that gradient. */
export const gumbelSoftmax = torchCall({
  name: "gumbel_softmax",
  in: ["torch.nn.functional"],
  params: {
    logits: tensor,
    tau: withDefault(float, 1),
    hard: withDefault(bool, false),
    eps: withDefault(float, 1e-10),
    dim: oneName(withDefault(int, -1)),
  },
  saves: ["result"],
  build: (ctx, { logits, tau, hard, dim }): Typed => {
    const { emit } = ctx;
    const axis = wrapDim(dim, logits.shape.length);
    const type = { dtype: logits.dtype, isComplex: false };
    const drawn = ctx.store.fromNumbers(type, logits.shape, null);
    needFloatKernel("exponential", logits);
    fillRandom(ctx, drawn, "exponential", { lambda: 1, dtype: logits.dtype as FloatType });
    const noise = emit.op("Log", [ctx.read(drawn)]);
    const raised = emit.op("Sub", [ctx.read(logits), noise]);
    const warmed = emit.op("Div", [raised, emit.scalar(tau, raised.dtype)]);
    const lined = logits.shape.length === 0 ? reshapeTo(emit, warmed, [1]) : warmed;
    const soft = emit.op("Softmax", [lined], { axis });
    const typed = hard ? straightThrough(ctx, soft, axis) : soft;
    return { typed: reshapeTo(emit, typed, logits.shape), as: logits.dtype };
  },
});

/** 1 at the largest, 0 elsewhere; the gradient passes as it is. */
function straightThrough({ emit }: CallContext, soft: Value, axis: number): Value {
  return withSlope(
    emit,
    soft,
    () => {
      const largest = emit.op("ArgMax", [soft], { axis, keepdims: 1 });
      const size = soft.shape[axis] as number;
      const places = emit.ints(Array.from({ length: size }, (_, i) => i));
      const along = soft.shape.map((_, k) => (k === axis ? size : 1));
      const isLargest = emit.op("Equal", [reshapeTo(emit, places, along), largest]);
      return castTo(emit, isLargest, soft.dtype);
    },
    (_backward, _y, d) => d,
  );
}
