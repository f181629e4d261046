/** Losses of distances and signs: how far a pair or a triplet is from where it should be. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo, clipTo } from "../../ops/write.ts";
import { bool, float, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { computeType, type TorchType, typeOf } from "../promotion.ts";
import { inKernels, numberOf, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { reductionOf, reductionParams } from "./classes.ts";
import { lnOnePlus } from "./curves.ts";
import { refuseGradientOf } from "./derivatives.ts";
import { pairwiseDistance } from "./distances.ts";
import { quotientOf } from "./kernelSlopes.ts";
import { reduceLoss } from "./loss.ts";
import { checkedOne, checks, failed, isPositive } from "./numberChecks.ts";
import { needFloat } from "./reduction.ts";
import { type Held, heldFloat, typedCalls } from "./typedKernels.ts";

const functional = ["torch", "torch.nn.functional"] as const;

/** max(x, 0); no gradient comes through NaN, as it does through relu. */
const hinge = (emit: Emit, x: Value): Value =>
  emit.op("Clip", [x, emit.scalar(0, x.dtype), emit.scalar(Number.POSITIVE_INFINITY, x.dtype)]);

/** 1 − cos where y is 1, max(0, cos − margin) where y is −1. */
export const cosineEmbeddingLoss = torchCall({
  name: "cosine_embedding_loss",
  in: functional,
  params: {
    input1: tensor,
    input2: tensor,
    target: tensor,
    margin: withDefault(float, 0),
    ...reductionParams,
  },
  saves: ["input1", "input2"],
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const { input1, input2, target, margin } = args;
    const reduction = reductionOf(args);
    const type = ctx.promoteToFloat(input1, input2);
    const step = inKernels(emit, type);
    const axes = emit.ints([target.shape.length]);
    // Integers are multiplied as such: bytes wrap.
    const sum = (a: Tensor, b: Tensor) => {
      const own = ctx.promote(a, b);
      const product = castTo(
        emit,
        inKernels(emit, own).op("Mul", [ctx.as(a, own), ctx.as(b, own)]),
        computeType(type),
      );
      return step.op("ReduceSum", [product, axes], { keepdims: 0 });
    };
    const dtype = computeType(type);
    const squares = [input1, input2].map((x) =>
      step.op("Add", [sum(x, x), emit.scalar(1e-12, dtype)]),
    );
    const size = step.op("Sqrt", [step.op("Mul", squares)]);
    const likeness = step.op("Div", [sum(input1, input2), size]);
    const same = step.op("Sub", [emit.scalar(1, dtype), likeness]);
    const apart = hinge(emit, step.op("Sub", [likeness, numberOf(emit, margin, type)]));
    const told = ctx.store.read(target);
    const is = (sign: number) => emit.op("Equal", [told, emit.scalar(sign, told.dtype)]);
    const none = emit.scalar(0, dtype);
    const losses = emit.op("Where", [is(1), same, emit.op("Where", [is(-1), apart, none])]);
    return { typed: reduceLoss(emit, losses, reduction), as: type };
  },
});

/** max(0, −y (x1 − x2) + margin) */
export const marginRankingLoss = torchCall({
  name: "margin_ranking_loss",
  in: functional,
  params: {
    input1: tensor,
    input2: tensor,
    target: tensor,
    margin: withDefault(float, 0),
    ...reductionParams,
  },
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const { input1, input2, target, margin } = args;
    const reduction = reductionOf(args);
    const type = ctx.promote(input1, input2, target, { kind: "float", value: margin });
    // Integers are subtracted and multiplied as such: bytes wrap.
    const [between, both] = [ctx.promote(input1, input2), ctx.promote(input1, input2, target)];
    const gap = inKernels(emit, between).op("Sub", [
      ctx.as(input1, between),
      ctx.as(input2, between),
    ]);
    const turned = castTo(
      emit,
      emit.op("Neg", [ctx.as(target, typeOf(target))]),
      computeType(both),
    );
    const signed = inKernels(emit, both).op("Mul", [turned, castTo(emit, gap, computeType(both))]);
    const wide = castTo(emit, signed, computeType(type));
    const raised = inKernels(emit, type).op("Add", [wide, numberOf(emit, margin, type)]);
    const losses = hinge(emit, raised);
    return { typed: reduceLoss(emit, losses, reduction), as: type };
  },
});

function needSameRank(anchor: Tensor, positive: Tensor, negative: Tensor): void {
  const [a, p, n] = [anchor, positive, negative].map(({ shape }) => shape.length);
  if (a !== p || a !== n)
    throw torchError(
      "RuntimeError",
      `The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor ${a}D, positive ${p}D, and negative ${n}D inputs`,
    );
}

/** max(0, ‖a − p‖ − ‖a − n‖ + margin) */
export const tripletMarginLoss = torchCall({
  name: "triplet_margin_loss",
  in: functional,
  params: {
    anchor: tensor,
    positive: tensor,
    negative: tensor,
    margin: withDefault(float, 1),
    p: withDefault(float, 2),
    eps: withDefault(float, 1e-6),
    swap: withDefault(bool, false),
    ...reductionParams,
  },
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const { anchor, positive, negative, margin, p, eps, swap } = args;
    const reduction = reductionOf(args);
    if (margin <= 0) throw torchError("ValueError", `margin must be greater than 0, got ${margin}`);
    needSameRank(anchor, positive, negative);
    const type = ctx.promoteToFloat(anchor, positive, negative);
    const between = (x1: Tensor, x2: Tensor): Value => {
      const { typed } = pairwiseDistance.build(ctx, { x1, x2, p, eps, keepdim: false }) as Typed;
      return castTo(emit, typed, computeType(type));
    };
    const toFar = between(anchor, negative);
    const least = swap ? emit.op("Min", [toFar, between(positive, negative)]) : toFar;
    const step = inKernels(emit, type);
    const raised = step.op("Add", [between(anchor, positive), numberOf(emit, margin, type)]);
    const losses = hinge(emit, step.op("Sub", [raised, least]));
    return { typed: reduceLoss(emit, losses, reduction), as: type };
  },
});

/** x where y is 1, max(0, margin − x) where y is −1. */
export const hingeEmbeddingLoss = torchCall({
  name: "hinge_embedding_loss",
  in: functional,
  params: {
    input: tensor,
    target: tensor,
    margin: withDefault(float, 1),
    ...reductionParams,
  },
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const reduction = reductionOf(args);
    const type = typeOf(args.input);
    if (reduction === "mean") needFloat("mean", type);
    const [x, y] = [ctx.as(args.input, type), ctx.store.read(args.target)];
    const step = inKernels(emit, type);
    const apart = hinge(emit, step.op("Sub", [numberOf(emit, args.margin, type), x]));
    const zero = emit.scalar(0, x.dtype);
    const isNot = (value: number) =>
      emit.op("Not", [emit.op("Equal", [y, emit.scalar(value, y.dtype)])]);
    const losses = emit.op("Add", [
      emit.op("Where", [isNot(1), apart, zero]),
      emit.op("Where", [isNot(-1), x, zero]),
    ]);
    return { typed: reduceLoss(emit, losses, reduction), as: type };
  },
});

/** ln(1 + e^(−y x)), infinite as soon as the power is. */
export const softMarginLoss = torchCall({
  name: "soft_margin_loss",
  in: ["torch.nn.functional"],
  params: { input: tensor, target: tensor, ...reductionParams },
  saves: ["input", "target"],
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const reduction = reductionOf(args);
    refuseGradientOf(ctx, "soft_margin_loss", "target", args.target);
    const type = ctx.promoteToFloat(args.input, args.target);
    const [x, y] = [ctx.as(args.input, type), ctx.as(args.target, type)];
    const one = emit.scalar(1, x.dtype);
    const power = (to: Emit) => to.op("Exp", [to.op("Mul", [to.op("Neg", [x]), y])]);
    const [typed] = emit.grouped(
      [x],
      () => {
        const step = inKernels(emit, type);
        const losses = rounded(emit, lnOnePlus(emit, power(step)), type);
        return [reduceLoss(emit, losses, reduction)];
      },
      // −y e^(−y x) / n / (1 + e^(−y x)): the share comes first, which half precision shows.
      (backward, [d]) => {
        if (!d) return [null];
        const step = inKernels(backward, type);
        const z = power(step);
        const share = backward.scalar(reduction === "mean" ? -1 / numel(z.shape) : -1, x.dtype);
        const top = step.op("Mul", [step.op("Mul", [y, z]), share]);
        const slope = step.op("Div", [top, step.op("Add", [z, one])]);
        return [step.op("Mul", [slope, d])];
      },
    );
    return { typed: typed as Value, as: type };
  },
});

/** e^x − y x of a logarithm x, or x − y ln(x + eps); `full` adds Stirling's y ln y − y + ln(2πy) / 2. */
export const poissonNllLoss = torchCall({
  name: "poisson_nll_loss",
  in: functional,
  params: {
    input: tensor,
    target: tensor,
    log_input: withDefault(bool, true),
    full: withDefault(bool, false),
    size_average: reductionParams.size_average,
    eps: withDefault(float, 1e-8),
    reduce: reductionParams.reduce,
    reduction: reductionParams.reduction,
  },
  savesOf: ({ input, target, log_input, full }, requiresGrad) => [
    ...(log_input && requiresGrad(target) ? [input] : []),
    ...(requiresGrad(input) || (full && requiresGrad(target)) ? [target] : []),
  ],
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const reduction = reductionOf(args);
    const type = ctx.promoteToFloat(args.input, args.target);
    const [x, y] = heldSides(ctx, [args.input, args.target], type);
    const { op } = typedCalls(ctx);
    const rate = args.log_input ? op("Exp", x) : x;
    const log = args.log_input ? x : op("Log", op("Add", x, args.eps));
    const plain = op("Sub", rate, op("Mul", y, log));
    const losses = args.full ? op("Add", plain, stirling(ctx, y)) : plain;
    return { typed: reduceLoss(emit, losses.value, reduction), as: losses.type };
  },
});

/** PyTorch hides it where y ≤ 1, but not its gradient: that of the logarithm is none at 0 and below. */
function stirling(ctx: CallContext, y: Held): Held {
  const { op } = typedCalls(ctx);
  const half = op("Log", op("Mul", y, 2 * Math.PI));
  const main = op("Sub", op("Mul", y, op("Log", y)), y);
  const term = op("Add", main, op("Mul", half, 0.5));
  return op("Where", op("Greater", y, 1), term, 0);
}

/** Tensors as they stand, those of integers in `type`. */
const heldSides = <const T extends readonly Tensor[]>(
  ctx: CallContext,
  sides: T,
  type: TorchType,
): { readonly [K in keyof T]: Held } =>
  sides.map((side) => heldFloat(ctx, side, type)) as { readonly [K in keyof T]: Held };

/** Of the shape [N, …, C] of what is predicted, or one number for each of C: [N, …] or size 1 there. */
function spreadOf(emit: Emit, spread: Value, wanted: readonly number[]): Value {
  const { shape } = spread;
  if (shape.join() === wanted.join()) return spread;
  if (shape.join() === wanted.slice(0, -1).join() && wanted.length > 0)
    return emit.op("Unsqueeze", [spread, emit.ints([-1])]);
  const other = shape.filter((size, axis) => size !== wanted[axis]);
  if (shape.length === wanted.length && other.join() === "1") return spread;
  throw torchError("ValueError", "var is of incorrect size");
}

/** A variance whose numbers are all 0 or more, or the run fails. */
function notNegative(variance: Value, { emit }: CallContext): Value {
  if (variance.data?.some((x: number) => x < 0)) throw failed(checks.variance);
  if (variance.data !== null || isPositive(variance, emit.makerOf)) return variance;
  const holds = emit.op("Not", [emit.op("Less", [variance, emit.scalar(0, variance.dtype)])]);
  return emit.op("Mul", [variance, checkedOne(emit, checks.variance, variance.dtype, holds)]);
}

/** (ln v + (x − y)² / v) / 2, v not below eps where no gradient sees it; `full` adds ln(2π) / 2. */
export const gaussianNllLoss = torchCall({
  name: "gaussian_nll_loss",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    target: tensor,
    var: tensor,
    full: withDefault(bool, false),
    eps: withDefault(float, 1e-6),
    reduction: reductionParams.reduction,
  },
  build: (ctx, args): Typed => {
    const { emit } = ctx;
    const reduction = reductionOf({ ...args, size_average: null, reduce: null });
    const type = ctx.promoteToFloat(args.input, args.target, args.var);
    const [x, y, own] = heldSides(ctx, [args.input, args.target, args.var], type);
    const given = notNegative(spreadOf(emit, own.value, args.input.shape), ctx);
    const [raised] = emit.grouped(
      [given],
      () => [clipTo(emit, given, emit.scalar(args.eps, given.dtype), null)],
      (_backward, [d]) => [d ?? null],
    );
    const spread = { value: raised as Value, type: own.type };
    const { op } = typedCalls(ctx);
    const difference = op("Sub", x, y);
    const squares = op("Mul", difference, difference);
    const square =
      squares.type === spread.type ? shareOf(ctx, squares, spread) : op("Div", squares, spread);
    const halves = op("Mul", op("Add", op("Log", spread), square), 0.5);
    const losses = args.full ? op("Add", halves, Math.log(2 * Math.PI) / 2) : halves;
    return { typed: reduceLoss(emit, losses.value, reduction), as: losses.type };
  },
});

/** x / y of one type. */
const shareOf = ({ emit }: CallContext, x: Held, { value: y, type }: Held): Held => ({
  value: rounded(emit, quotientOf(emit, x.value, y, type), type),
  type,
});
