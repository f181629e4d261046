/** Losses between a prediction and a target of the same shape. */

import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import { bool, float, optional, type Params, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { computeType, promoteTypes, type TorchType, typeOf } from "../promotion.ts";
import { inCalls, inKernels, numberOf, rounded, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { type Reduction, reductionOf, reductionParams } from "./classes.ts";
import { withSlope } from "./curves.ts";
import { underivable } from "./derivatives.ts";
import { inSteps, type Kernels } from "./kernelSlopes.ts";
import { gradientTimesLog } from "./logarithms.ts";
import { broadcastBatch } from "./matmulErrors.ts";
import { needFloat } from "./reduction.ts";
import { type Held, heldFloat, typedCalls } from "./typedKernels.ts";

const functional = ["torch.nn.functional"] as const;

/** The mean, the sum or each. */
export function reduceLoss(emit: Emit, losses: Value, reduction: Reduction): Value {
  if (reduction === "none") return losses;
  const op = reduction === "sum" ? "ReduceSum" : "ReduceMean";
  return emit.op(op, [losses, null], { keepdims: 0 });
}

export interface LossPair {
  readonly x: Value;
  readonly y: Value;
  readonly type: TorchType;
}

/** Both in their common type. */
export function pairOf(ctx: CallContext, input: Tensor, target: Tensor): LossPair {
  broadcastBatch(input.shape, target.shape);
  const type = ctx.promote(input, target);
  return { x: ctx.as(input, type), y: ctx.as(target, type), type };
}

/** The same of tensors that are spread to one shape first: one without axes counts like the other. */
function spreadPairOf(ctx: CallContext, input: Tensor, target: Tensor): LossPair {
  broadcastBatch(input.shape, target.shape);
  const type = promoteTypes(typeOf(input), typeOf(target));
  return { x: ctx.as(input, type), y: ctx.as(target, type), type };
}

export function refuseIntegerLoss(kernel: string, type: TorchType): void {
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
    const { x, y, type } = spreadPairOf(ctx, args.input, args.target);
    refuseIntegerLoss("mse_cpu", type);
    if (roundsSteps(type)) return { typed: squaresInSteps(ctx, { x, y, type }, args), as: type };
    const difference = emit.op("Sub", [x, y]);
    if (reduction === "none" || args.weight !== null) {
      const squares = emit.op("Mul", [difference, difference]);
      return { typed: weighed(ctx, squares, args.weight, type, reduction), as: type };
    }
    const sum = emit.op("ReduceSumSquare", [difference, null], { keepdims: 0 });
    if (reduction === "sum") return { typed: sum, as: type };
    const share = emit.scalar(1 / numel(difference.shape), sum.dtype);
    return { typed: emit.op("Mul", [sum, share]), as: type };
  },
});

/** In half precision, with the gradient ((x − y) · 2 · share) · d. */
function squaresInSteps(
  ctx: CallContext,
  pair: LossPair,
  args: { readonly weight: Tensor | null } & Parameters<typeof reductionOf>[0],
): Value {
  const { emit } = ctx;
  const { x, y, type } = pair;
  const reduction = reductionOf(args);
  const reduced = args.weight === null ? reduction : "none";
  const step = inKernels(emit, type);
  const difference = step.op("Sub", [x, y]);
  const losses = ofSlope(
    emit,
    pair,
    () => reduceLoss(emit, step.op("Mul", [difference, difference]), reduced),
    ({ op }, d) => {
      const slope = numberOf(emit, 2 * shareOf(reduced, difference), type);
      return op("Mul", op("Mul", op("Sub", x, y), slope), d);
    },
  );
  return args.weight === null ? losses : weighed(ctx, losses, args.weight, type, reduction);
}

/** What each loss counts for in the whole. */
const shareOf = (reduction: Reduction, losses: Value): number =>
  reduction === "mean" ? 1 / numel(losses.shape) : 1;

/** A loss of x − y; in half precision `slope` is its gradient by x. */
const ofSlope = (
  emit: CallContext["emit"],
  { x, y, type }: LossPair,
  make: () => Value,
  slope: (kernels: Kernels, d: Value) => Value,
): Value =>
  inSteps(emit, type, [x, y], make, (kernels, d) => {
    const dx = slope(kernels, d);
    return [dx, kernels.op("Neg", dx)];
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

/** The slope of a loss at a difference as half precision holds it. */
type HalfSlope = (emit: Emit, difference: Value, type: TorchType, args: never) => Value;

/** A loss of the difference alone, with PyTorch's slope. */
function ofDifference<const P extends Params>(
  name: string,
  more: P,
  curve: (ctx: CallContext, difference: Value, args: never, type: TorchType) => Value,
  refuse: (type: TorchType, reduction: Reduction) => void,
  halfSlope?: HalfSlope,
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
      const pair = spreadPairOf(ctx, given.input, given.target);
      const { x, y, type } = pair;
      refuse(type, reduction);
      const difference = ctx.emit.op("Sub", [x, y]);
      const make = () =>
        reduceLoss(ctx.emit, curve(ctx, difference, args as never, type), reduction);
      if (halfSlope === undefined) return { typed: make(), as: type };
      const share = numberOf(ctx.emit, shareOf(reduction, difference), type);
      const typed = ofSlope(ctx.emit, pair, make, ({ op }, d) => {
        const slope = halfSlope(ctx.emit, op("Sub", x, y), type, args as never);
        return op("Mul", op("Mul", slope, share), d);
      });
      return { typed, as: type };
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

/**
 * d² / 2 · steep within `bound` of 0, a line of slope steep · bound beyond; steep is 1 or 1 / bound.
 * `stepped` is the half precision type whose kernel rounds each of its steps.
 */
function huberCurve(
  { emit }: CallContext,
  d: Value,
  bound: number,
  steep: number,
  stepped: TorchType | null,
): Value {
  return withSlope(
    emit,
    d,
    () => {
      if (stepped !== null) return huberInSteps(emit, d, bound, steep, stepped);
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

/** The same of d as the type holds it, each step rounded. */
function huberInSteps(emit: Emit, d: Value, bound: number, steep: number, type: TorchType): Value {
  const step = inKernels(emit, type);
  const limit = numberOf(emit, bound, type);
  const size = emit.op("Abs", [rounded(emit, d, type)]);
  const half = emit.scalar(0.5, d.dtype);
  const square = step.op("Mul", [step.op("Mul", [size, half]), size]);
  const past = step.op("Sub", [size, emit.op("Mul", [limit, half])]);
  const [near, far] =
    steep === 1 ? [square, step.op("Mul", [past, limit])] : [step.op("Div", [square, limit]), past];
  return emit.op("Where", [emit.op("Less", [size, limit]), near, far]);
}

export const smoothL1Loss = ofDifference(
  "smooth_l1_loss",
  { beta: withDefault(float, 1) },
  (ctx, difference, { beta }: { readonly beta: number }, type) => {
    if (beta < 0)
      throw torchError("RuntimeError", "smooth_l1_loss does not support negative values for beta.");
    if (beta === 0) return ctx.emit.op("Abs", [difference]);
    return huberCurve(ctx, difference, beta, 1 / beta, type === "float16" ? type : null);
  },
  (type) => {
    refuseIntegerLoss("smooth_l1_cpu", type);
  },
);

const huberOfOneType = ofDifference(
  "huber_loss",
  { delta: withDefault(float, 1) },
  (ctx, difference, { delta }: { readonly delta: number }, type) => {
    if (delta <= 0)
      throw torchError(
        "RuntimeError",
        "huber_loss does not support non-positive values for delta.",
      );
    return huberCurve(ctx, difference, delta, 1, type === "bfloat16" ? type : null);
  },
  (type) => {
    refuseIntegerLoss("huber_cpu", type);
  },
  (emit, difference, type, { delta }: { readonly delta: number }) => {
    const bound = numberOf(emit, delta, type);
    return emit.op("Clip", [difference, emit.op("Neg", [bound]), bound]);
  },
);

/** Of the input's type, whose gradient PyTorch has only where the target is of that type too. */
export const huberLoss = torchCall({
  ...huberOfOneType,
  build: (ctx, args): Typed => {
    const { input, target } = args;
    const [own, other] = [typeOf(input), typeOf(target)];
    if (own === other) return huberOfOneType.build(ctx, args) as Typed;
    const { typed, as } = huberOfOneType.build(ctx, args) as Typed;
    if (!isFloat(input.dtype))
      throw torchError(
        "RuntimeError",
        `result type ${cppName(as)} can't be cast to the desired output type ${cppName(own)}`,
      );
    const loss = castTo(ctx.emit, rounded(ctx.emit, typed, own), computeType(own));
    const [found, expected] = ctx.store.requiresGrad(input) ? [other, own] : [own, other];
    const refusal = torchError(
      "RuntimeError",
      `Found dtype ${cppName(found)} but expected ${cppName(expected)}`,
      "Convert the target with .to(input.dtype)",
    );
    const sources = [input, target].map((side) => ctx.store.read(side));
    return { typed: underivable(ctx.emit, loss, sources, refusal), as: own };
  },
});

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
    broadcastBatch(args.input.shape, args.target.shape);
    const common = ctx.promote(args.input, args.target);
    const [x, y] = [args.input, args.target].map((side) => heldFloat(ctx, side, common)) as [
      Held,
      Held,
    ];
    const { op } = typedCalls(ctx);
    const { value, type } = args.log_target
      ? op("Mul", op("Exp", y), op("Sub", y, x))
      : op("Sub", timesLog(emit, y), op("Mul", y, x));
    const total = reduceLoss(batchMean ? inCalls(emit, type) : emit, value, reduction);
    if (!batchMean) return { typed: total, as: type };
    const share = emit.scalar(1 / (args.input.shape[0] ?? 1), total.dtype);
    return { typed: emit.op("Mul", [total, share]), as: type };
  },
});

/** y ln y, 0 at 0: its gradient in PyTorch is ln y + y / y, which 0 does not have. */
function timesLog(emit: CallContext["emit"], { value: y, type }: Held): Held {
  const log = (to: Emit) => {
    const isZero = to.op("Equal", [y, to.scalar(0, y.dtype)]);
    return to.op("Log", [to.op("Where", [isZero, to.scalar(1, y.dtype), y])]);
  };
  const product = withSlope(
    emit,
    y,
    () => emit.op("Mul", [y, log(inKernels(emit, type))]),
    (backward, _y, d) => {
      const step = inKernels(backward, type);
      const share = step.op("Div", [step.op("Mul", [d, y]), y]);
      return step.op("Add", [gradientTimesLog(step, d, log(step), y), share]);
    },
  );
  return { value: rounded(emit, product, type), type };
}
