/** Cross entropies of probabilities, given as such or by their logits. */

import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { optional, tensor } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import { inKernels, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { type Reduction, reductionOf, reductionParams } from "./classes.ts";
import { logSigmoid } from "./curves.ts";
import { refuseGradientOf } from "./derivatives.ts";
import { inSteps } from "./kernelSlopes.ts";
import { type LossPair, pairOf, reduceLoss, refuseIntegerLoss } from "./loss.ts";
import { sizeOf } from "./matmul.ts";
import { mixedLogitEntropy } from "./mixedLogits.ts";
import { checkedOne, checks, failed, isShare } from "./numberChecks.ts";
import { heldFloat, mixesHalf } from "./typedKernels.ts";

const functional = ["torch.nn.functional"] as const;

/** d times the slope of each loss by x, and by y. */
type LossSlopes = readonly ((emit: Emit, d: Value) => Value)[];

/** Losses that are weighed and reduced: in half precision PyTorch takes their gradients in this order. */
function weighedLoss(
  { emit }: CallContext,
  { x, y, type }: LossPair,
  losses: Value,
  weight: Value | null,
  reduction: Reduction,
  slopes: LossSlopes,
): Value {
  const make = () => {
    const products = weight ? inKernels(emit, type).op("Mul", [losses, weight]) : losses;
    return reduceLoss(emit, products, reduction);
  };
  if (weight === null && reduction === "none") return make();
  return inSteps(emit, type, [x, y], make, ({ op, whole }, d) =>
    slopes.map((slope, at) => {
      if (![x, y][at]?.requiresGrad) return null;
      const each = whole((to) => slope(to, d));
      const part = weight ? op("Mul", each, weight) : each;
      return reduction === "mean" ? op("Div", part, numel(losses.shape)) : part;
    }),
  );
}

/** −w (y ln x + (1 − y) ln(1 − x)), the logarithms not below −100. */
export const binaryCrossEntropy = torchCall({
  name: "binary_cross_entropy",
  in: functional,
  params: { input: tensor, target: tensor, weight: optional(tensor), ...reductionParams },
  saves: ["input", "target", "weight"],
  build: (ctx, args): Typed => {
    const { input, target, weight } = args;
    const reduction = reductionOf(args);
    refuseGradientOf(ctx, "binary_cross_entropy", "weight", weight);
    if (input.shape.join() !== target.shape.join())
      throw torchError(
        "ValueError",
        `Using a target size (${sizeOf(target)}) that is different to the input size (${sizeOf(input)}) is deprecated. Please ensure they have the same size.`,
      );
    refuseOutside(ctx, input);
    const pair = pairOf(ctx, input, target);
    const { type } = pair;
    refuseIntegerLoss("binary_cross_entropy", type);
    if (typeOf(target) !== typeOf(input))
      throw torchError(
        "RuntimeError",
        `Found dtype ${cppName(typeOf(target))} but expected ${cppName(typeOf(input))}`,
        "Convert the target with .to(input.dtype)",
      );
    const share = weight && ctx.as(weight, type);
    const [losses, slopes] = unitEntropy(ctx, pair);
    return { typed: weighedLoss(ctx, pair, losses, share, reduction, slopes), as: type };
  },
});

function refuseOutside(ctx: CallContext, input: Tensor): void {
  if (!ctx.store.isKnown(input)) return;
  if (!ctx.store.numbers(input).every((x: number) => x >= 0 && x <= 1)) throw failed(checks.share);
}

/** Whether each number is between 0 and 1. */
const within = (emit: Emit, x: Value): Value =>
  emit.op("And", [
    emit.op("GreaterOrEqual", [x, emit.scalar(0, x.dtype)]),
    emit.op("LessOrEqual", [x, emit.scalar(1, x.dtype)]),
  ]);

/** dx = (x − y) / max(x (1 − x), 1e-12) */
function unitEntropy(ctx: CallContext, { x, y, type }: LossPair): [Value, LossSlopes] {
  const { emit } = ctx;
  const one = checkedOne(
    emit,
    checks.share,
    x.dtype,
    isShare(x, emit.makerOf) ? null : within(emit, x),
  );
  const floor = emit.scalar(-100, x.dtype);
  const log = (value: Value) =>
    emit.op("Max", [rounded(emit, emit.op("Log", [value]), type), floor]);
  const byShare = (backward: Emit, d: Value) => {
    const step = inKernels(backward, type);
    const spread = backward.op("Max", [
      step.op("Mul", [x, step.op("Sub", [one, x])]),
      rounded(backward, backward.scalar(1e-12, x.dtype), type),
    ]);
    return step.op("Div", [step.op("Mul", [d, step.op("Sub", [x, y])]), spread]);
  };
  // −ln(x / (1 − x))
  const byTarget = (backward: Emit, d: Value) => {
    const step = inKernels(backward, type);
    const odds = step.op("Log", [step.op("Div", [x, step.op("Sub", [one, x])])]);
    return backward.op("Mul", [backward.op("Neg", [odds]), d]);
  };
  const [losses] = emit.grouped(
    [x, y],
    () => {
      const step = inKernels(emit, type);
      const miss = step.op("Mul", [step.op("Sub", [y, one]), log(emit.op("Sub", [one, x]))]);
      return [step.op("Sub", [miss, step.op("Mul", [y, log(x)])])];
    },
    (backward, [d]) => {
      if (!d) return [null];
      return [byShare(backward, d), y.requiresGrad ? byTarget(backward, d) : null];
    },
  );
  return [losses as Value, [byShare, byTarget]];
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
    const pair = pairOf(ctx, input, target);
    const { type } = pair;
    if (!isFloat(target.dtype))
      throw torchError(
        "RuntimeError",
        `result type Float can't be cast to the desired output type ${cppName(target.dtype)}`,
      );
    if (mixesHalf([input, target, weight, pos_weight])) {
      const held = (side: Tensor) => heldFloat(ctx, side, type);
      const given = {
        x: held(input),
        y: held(target),
        weight: weight && held(weight),
        positive: pos_weight && held(pos_weight),
        reduction,
      };
      return { typed: mixedLogitEntropy(ctx, given), as: target.dtype };
    }
    const [losses, slopes] = logitEntropy(ctx, pair, pos_weight && ctx.as(pos_weight, type));
    const share = weight && ctx.as(weight, type);
    // PyTorch computes the losses in the memory of 1 − y.
    return { typed: weighedLoss(ctx, pair, losses, share, reduction, slopes), as: target.dtype };
  },
});

/** dx = (w₊ y + 1 − y) σ(x) − w₊ y; `positive` is w₊, null where it is 1. */
function logitEntropy(
  { emit }: CallContext,
  { x, y, type }: LossPair,
  positive: Value | null,
): [Value, LossSlopes] {
  const one = emit.scalar(1, x.dtype);
  const log = (to: Emit) => rounded(to, logSigmoid(to, x), type);
  const byLogit = (backward: Emit, d: Value) => {
    const step = inKernels(backward, type);
    const hit = positive ? step.op("Mul", [positive, y]) : y;
    const both = positive && step.op("Sub", [step.op("Add", [hit, one]), y]);
    const sigmoid = step.op("Sigmoid", [x]);
    const slope = step.op("Sub", [both ? step.op("Mul", [both, sigmoid]) : sigmoid, hit]);
    return step.op("Mul", [slope, d]);
  };
  // ln σ(−x) − w₊ ln σ(x), of which −x is left where w₊ is 1.
  const byTarget = (backward: Emit, d: Value) => {
    const step = inKernels(backward, type);
    const line = backward.op("Neg", [x]);
    if (!positive) return step.op("Mul", [line, d]);
    const miss = rounded(backward, logSigmoid(backward, line), type);
    const hit = step.op("Mul", [positive, log(backward)]);
    return step.op("Mul", [step.op("Sub", [miss, hit]), d]);
  };
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
      return [byLogit(backward, d), y.requiresGrad ? byTarget(backward, d) : null];
    },
  );
  return [losses as Value, [byLogit, byTarget]];
}
