/** Losses between a prediction and a target of the same shape. */

import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { checks } from "../../graph/numberChecks.ts";
import { isFloat, isHalf, numel } from "../../graph/tensor.ts";
import { bool, float, optional, type Params, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { cppName } from "../dispatch.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import { inCalls, inKernels, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { type Reduction, reductionOf, reductionParams } from "./classes.ts";
import { logSigmoid, withSlope } from "./curves.ts";
import { refuseGradientOf } from "./derivatives.ts";
import { gradientTimesLog } from "./logarithms.ts";
import { broadcastBatch, sizeOf } from "./matmul.ts";
import { checkedOne, isShare } from "./numberChecks.ts";
import { needFloat } from "./reduction.ts";

const functional = ["torch.nn.functional"] as const;

/** The mean, the sum or each. */
export function reduceLoss(emit: Emit, losses: Value, reduction: Reduction): Value {
  if (reduction === "none") return losses;
  const op = reduction === "sum" ? "ReduceSum" : "ReduceMean";
  return emit.op(op, [losses, null], { keepdims: 0 });
}

interface Pair {
  readonly x: Value;
  readonly y: Value;
  readonly type: TorchType;
}

function read(ctx: CallContext, input: Tensor, target: Tensor): Pair {
  broadcastBatch(input.shape, target.shape);
  const type = ctx.promote(input, target);
  return { x: ctx.as(input, type), y: ctx.as(target, type), type };
}

function refuseIntegers(kernel: string, type: TorchType): void {
  if (!isFloat(type as never))
    throw torchError("NotImplementedError", `"${kernel}" not implemented for '${cppName(type)}'`);
}

/** (x − y)² */
export const mseLoss = torchCall({
  name: "mse_loss",
  in: functional,
  params: { input: tensor, target: tensor, ...reductionParams, weight: optional(tensor) },
  saves: ["input", "target"],
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const reduction = reductionOf(args);
    const { x, y, type } = read(ctx, args.input, args.target);
    refuseIntegers("mse_cpu", type);
    const difference = rounded(emit, emit.op("Sub", [x, y]), type);
    if (reduction === "none" || args.weight !== null || isHalf(type as never)) {
      const squares = rounded(emit, emit.op("Mul", [difference, difference]), type);
      return { typed: weighed(ctx, squares, args.weight, type, reduction), as: type };
    }
    const sum = emit.op("ReduceSumSquare", [difference, null], { keepdims: 0 });
    if (reduction === "sum") return { typed: sum, as: type };
    const share = emit.scalar(1 / numel(difference.shape), sum.dtype);
    return { typed: emit.op("Mul", [sum, share]), as: type };
  },
});

function weighed(
  ctx: CallContext,
  losses: Value,
  weight: Tensor | null,
  type: TorchType,
  reduction: Reduction,
): Value {
  const { emit } = ctx;
  if (weight === null) return reduceLoss(emit, losses, reduction);
  const share = ctx.as(weight, type);
  const step = inKernels(emit, type);
  const products = step.op("Mul", [losses, share]);
  if (reduction !== "mean") return reduceLoss(emit, products, reduction);
  const sum = (value: Value) => step.op("ReduceSum", [value, null], { keepdims: 0 });
  const all = emit.op("Expand", [share, emit.ints(losses.shape)]);
  return emit.op("Div", [sum(products), sum(all)]);
}

/** A loss of the difference alone, with PyTorch's slope. */
function ofDifference<const P extends Params>(
  name: string,
  more: P,
  curve: (ctx: CallContext, difference: Value, args: never) => Value,
  refuse: (type: TorchType, reduction: Reduction) => void,
) {
  return torchCall({
    name,
    in: functional,
    params: { input: tensor, target: tensor, ...reductionParams, ...more },
    // A bound of 0 leaves |x − y|, of which the difference is kept.
    saves: ((given: { readonly beta?: number }) =>
      name === "l1_loss" || given.beta === 0 ? [] : ["input", "target"]) as never,
    build: (ctx, args): Typed => {
      const given = args as unknown as {
        readonly input: Tensor;
        readonly target: Tensor;
      } & Parameters<typeof reductionOf>[0];
      const reduction = reductionOf(given);
      const { x, y, type } = read(ctx, given.input, given.target);
      refuse(type, reduction);
      const losses = curve(ctx, ctx.emit.op("Sub", [x, y]), args as never);
      return { typed: reduceLoss(ctx.emit, losses, reduction), as: type };
    },
  });
}

/** |x − y| */
export const l1Loss = ofDifference(
  "l1_loss",
  {},
  ({ emit }, difference) => emit.op("Abs", [difference]),
  (type, reduction) => {
    if (reduction === "mean") needFloat("mean", type);
  },
);

/** d² / 2 · steep within `bound` of 0, a line of slope steep · bound beyond. */
function huberCurve(ctx: CallContext, d: Value, bound: number, steep: number): Value {
  const { emit } = ctx;
  return withSlope(
    emit,
    d,
    () => {
      const size = emit.op("Abs", [d]);
      const near = emit.op("Mul", [emit.op("Mul", [d, d]), emit.scalar(steep / 2, d.dtype)]);
      const past = emit.op("Sub", [size, emit.scalar(bound / 2, d.dtype)]);
      const far = emit.op("Mul", [past, emit.scalar(steep * bound, d.dtype)]);
      return emit.op("Where", [emit.op("Less", [size, emit.scalar(bound, d.dtype)]), near, far]);
    },
    (backward, _y, dy) => {
      const limit = (value: number) => backward.scalar(value, d.dtype);
      const clipped = backward.op("Clip", [d, limit(-bound), limit(bound)]);
      return backward.op("Mul", [dy, backward.op("Mul", [clipped, limit(steep)])]);
    },
  );
}

export const smoothL1Loss = ofDifference(
  "smooth_l1_loss",
  { beta: withDefault(float, 1) },
  (ctx, difference, { beta }: { readonly beta: number }) => {
    if (beta < 0)
      throw torchError("RuntimeError", "smooth_l1_loss does not support negative values for beta.");
    if (beta === 0) return ctx.emit.op("Abs", [difference]);
    return huberCurve(ctx, difference, beta, 1 / beta);
  },
  (type) => {
    refuseIntegers("smooth_l1_cpu", type);
  },
);

export const huberLoss = ofDifference(
  "huber_loss",
  { delta: withDefault(float, 1) },
  (ctx, difference, { delta }: { readonly delta: number }) => {
    if (delta <= 0)
      throw torchError(
        "RuntimeError",
        "huber_loss does not support non-positive values for delta.",
      );
    return huberCurve(ctx, difference, delta, 1);
  },
  (type) => {
    refuseIntegers("huber_cpu", type);
  },
);

/** −w (y ln x + (1 − y) ln(1 − x)), the logarithms not below −100. */
export const binaryCrossEntropy = torchCall({
  name: "binary_cross_entropy",
  in: functional,
  params: { input: tensor, target: tensor, weight: optional(tensor), ...reductionParams },
  saves: ["input", "target", "weight"],
  build: (ctx, args): Typed => {
    const { input, target, weight } = args;
    const { emit } = ctx;
    const reduction = reductionOf(args);
    refuseGradientOf(ctx, "binary_cross_entropy", "weight", weight);
    if (input.shape.join() !== target.shape.join())
      throw torchError(
        "ValueError",
        `Using a target size (${sizeOf(target)}) that is different to the input size (${sizeOf(input)}) is deprecated. Please ensure they have the same size.`,
      );
    refuseOutside(ctx, input);
    const { x, y, type } = read(ctx, input, target);
    refuseIntegers("binary_cross_entropy", type);
    if (typeOf(target) !== typeOf(input))
      throw torchError(
        "RuntimeError",
        `Found dtype ${cppName(typeOf(target))} but expected ${cppName(typeOf(input))}`,
        "Convert the target with .to(input.dtype)",
      );
    const losses = unitEntropy(ctx, x, y, type);
    const share = weight && ctx.as(weight, type);
    const products = share ? emit.op("Mul", [losses, share]) : losses;
    return { typed: reduceLoss(emit, products, reduction), as: type };
  },
});

function refuseOutside(ctx: CallContext, input: Tensor): void {
  if (!ctx.store.isKnown(input)) return;
  if (!ctx.store.numbers(input).every((x: number) => x >= 0 && x <= 1))
    throw torchError("RuntimeError", "all elements of input should be between 0 and 1");
}

/** Whether each number is between 0 and 1. */
const within = (emit: Emit, x: Value): Value =>
  emit.op("And", [
    emit.op("GreaterOrEqual", [x, emit.scalar(0, x.dtype)]),
    emit.op("LessOrEqual", [x, emit.scalar(1, x.dtype)]),
  ]);

/** dx = (x − y) / max(x (1 − x), 1e-12) */
function unitEntropy(ctx: CallContext, x: Value, y: Value, type: TorchType): Value {
  const { emit } = ctx;
  const one = checkedOne(
    emit,
    checks.share,
    x.dtype,
    isShare(x, emit.makerOf) ? null : within(emit, x),
  );
  const floor = emit.scalar(-100, x.dtype);
  const log = (value: Value) => emit.op("Max", [emit.op("Log", [value]), floor]);
  const [made] = emit.grouped(
    [x, y],
    () => {
      const miss = emit.op("Mul", [emit.op("Sub", [y, one]), log(emit.op("Sub", [one, x]))]);
      return [emit.op("Sub", [miss, emit.op("Mul", [y, log(x)])])];
    },
    (backward, [d]) => {
      if (!d) return [null];
      const step = inKernels(backward, type);
      const rest = step.op("Sub", [one, x]);
      const spread = backward.op("Max", [
        step.op("Mul", [x, rest]),
        rounded(backward, backward.scalar(1e-12, x.dtype), type),
      ]);
      const dx = step.op("Div", [step.op("Mul", [d, step.op("Sub", [x, y])]), spread]);
      // −ln(x / (1 − x))
      const odds = step.op("Log", [step.op("Div", [x, rest])]);
      return [dx, y.requiresGrad ? backward.op("Mul", [backward.op("Neg", [odds]), d]) : null];
    },
  );
  return made as Value;
}

/** (1 − y) x − (1 + (w₊ − 1) y) ln σ(x) */
export const binaryCrossEntropyWithLogits = torchCall({
  name: "binary_cross_entropy_with_logits",
  in: functional,
  params: {
    input: tensor,
    target: tensor,
    weight: optional(tensor),
    ...reductionParams,
    pos_weight: optional(tensor),
  },
  saves: ["input", "target", "weight", "pos_weight"],
  build: (ctx, args): Typed => {
    const { input, target, weight, pos_weight } = args;
    const reduction = reductionOf(args);
    refuseGradientOf(ctx, "binary_cross_entropy_with_logits", "weight", weight);
    refuseGradientOf(ctx, "binary_cross_entropy_with_logits", "pos_weight", pos_weight);
    if (input.shape.join() !== target.shape.join())
      throw torchError(
        "ValueError",
        `Target size (${sizeOf(target)}) must be the same as input size (${sizeOf(input)})`,
      );
    const pair = read(ctx, input, target);
    const { type } = pair;
    if (!isFloat(target.dtype))
      throw torchError(
        "RuntimeError",
        `result type Float can't be cast to the desired output type ${cppName(target.dtype)}`,
      );
    const losses = logitEntropy(ctx, pair, pos_weight && ctx.as(pos_weight, type));
    const share = weight && ctx.as(weight, type);
    const products = share ? inKernels(ctx.emit, type).op("Mul", [losses, share]) : losses;
    return { typed: reduceLoss(ctx.emit, products, reduction), as: type };
  },
});

/** dx = (w₊ y + 1 − y) σ(x) − w₊ y; `positive` is w₊, null where it is 1. */
function logitEntropy({ emit }: CallContext, { x, y, type }: Pair, positive: Value | null): Value {
  const one = emit.scalar(1, x.dtype);
  const log = (to: Emit) => rounded(to, logSigmoid(to, x), type);
  const [losses] = emit.grouped(
    [x, y],
    () => {
      const step = inKernels(emit, type);
      const miss = step.op("Mul", [step.op("Sub", [one, y]), x]);
      if (!positive) return [step.op("Sub", [miss, log(emit)])];
      const extra = step.op("Mul", [step.op("Sub", [positive, one]), y]);
      const weighed = step.op("Mul", [log(emit), step.op("Add", [extra, one])]);
      return [step.op("Sub", [miss, weighed])];
    },
    (backward, [d]) => {
      if (!d) return [null];
      const step = inKernels(backward, type);
      const hit = positive ? step.op("Mul", [positive, y]) : y;
      const both = positive && step.op("Sub", [step.op("Add", [hit, one]), y]);
      const sigmoid = step.op("Sigmoid", [x]);
      const slope = step.op("Sub", [both ? step.op("Mul", [both, sigmoid]) : sigmoid, hit]);
      const dx = step.op("Mul", [slope, d]);
      return [dx, y.requiresGrad ? ofTarget(backward, d) : null];
    },
  );
  return losses as Value;

  /** −x − (w₊ − 1) ln σ(x) */
  function ofTarget(backward: Emit, d: Value): Value {
    const line = backward.op("Neg", [x]);
    if (!positive) return backward.op("Mul", [line, d]);
    const more = backward.op("Mul", [backward.op("Sub", [positive, one]), log(backward)]);
    return backward.op("Mul", [backward.op("Sub", [line, more]), d]);
  }
}

/** y (ln y − x), x a logarithm; y too with `log_target`. */
export const klDiv = torchCall({
  name: "kl_div",
  in: functional,
  params: {
    input: tensor,
    target: tensor,
    ...reductionParams,
    log_target: withDefault(bool, false),
  },
  saves: ({ log_target }) => (log_target ? [] : ["input", "target"]),
  savesFor: { input: ["target"], target: ["input", "target"] },
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const batchMean = args.reduction === "batchmean";
    const reduction = reductionOf(batchMean ? { ...args, reduction: "sum" } : args);
    const { x, y, type } = read(ctx, args.input, args.target);
    const step = inCalls(emit, type);
    const losses = args.log_target
      ? step.op("Mul", [step.op("Exp", [y]), step.op("Sub", [y, x])])
      : step.op("Sub", [rounded(emit, timesLog(emit, y, type), type), step.op("Mul", [y, x])]);
    const total = reduceLoss(batchMean ? step : emit, losses, reduction);
    if (!batchMean) return { typed: total, as: type };
    const share = emit.scalar(1 / (args.input.shape[0] ?? 1), total.dtype);
    return { typed: emit.op("Mul", [total, share]), as: type };
  },
});

/** y ln y, 0 at 0: its gradient in PyTorch is ln y + y / y, which 0 does not have. */
function timesLog(emit: CallContext["emit"], y: Value, type: TorchType): Value {
  const log = (to: Emit) => {
    const isZero = to.op("Equal", [y, to.scalar(0, y.dtype)]);
    return to.op("Log", [to.op("Where", [isZero, to.scalar(1, y.dtype), y])]);
  };
  return withSlope(
    emit,
    y,
    () => emit.op("Mul", [y, log(inKernels(emit, type))]),
    (backward, _y, d) => {
      const step = inKernels(backward, type);
      const share = step.op("Div", [step.op("Mul", [d, y]), y]);
      return step.op("Add", [gradientTimesLog(step, d, log(step), y), share]);
    },
  );
}
