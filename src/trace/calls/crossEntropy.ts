/** Cross-entropy of logits, and the likelihood of class numbers. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { reshapeTo } from "../../ops/write.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import { inKernels, rounded, roundsSteps } from "../rounding.ts";
import { isContiguous, isDense, type Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import {
  classParams,
  counted,
  negatedLoss,
  negativeLogLikelihood,
  type Picked,
  pick,
  type Reduction,
  reduced,
  reductionOf,
  smoothing,
} from "./classes.ts";
import { needFloatKernel } from "./curves.ts";
import { refuseGradientOf, underivable } from "./derivatives.ts";
import { likelihoodInHalf, uniformInHalf } from "./halfLikelihood.ts";
import { logSoftmaxOf } from "./softmax.ts";
import { type Held, heldFloat, typedCalls } from "./typedKernels.ts";

export const nllLoss = torchCall({
  name: "nll_loss",
  in: ["torch.nn.functional"],
  params: classParams,
  saves: ["input", "target", "weight"],
  build: (ctx, args) => {
    const { input, target, weight, ignore_index } = args;
    const reduction = reductionOf(args);
    refuseGradientOf(ctx, nllKernel(input), "weight", weight);
    const picked = pick(ctx, input, target, weight, ignore_index);
    const x = ctx.read(input);
    const typed = roundsSteps(input.dtype)
      ? likelihoodInHalf(ctx.emit, x, picked, reduction, input.dtype)
      : negativeLogLikelihood(ctx.emit, x, picked, reduction);
    // The gradient of images would lie as the input does.
    if (input.shape.length !== 4 || !isDense(input) || isContiguous(input.shape, input.strides))
      return { typed, as: input.dtype };
    const refusal = torchError("RuntimeError", "grad_input must be contiguous");
    return { typed: underivable(ctx.emit, typed, [x], refusal), as: input.dtype };
  },
});

export const crossEntropy = torchCall({
  name: "cross_entropy",
  in: ["torch.nn.functional"],
  params: { ...classParams, label_smoothing: smoothing },
  savesOf({ input, target, weight, label_smoothing }, requiresGrad) {
    const kept = weight ? [weight] : [];
    if (!sameSizes(input, target)) return [target, ...kept];
    // Of shares it is products: of logarithms and target, and by the weight.
    const product = requiresGrad(input) && label_smoothing === 0 ? [target] : [];
    return [...product, ...(requiresGrad(input) || requiresGrad(target) ? kept : [])];
  },
  build: (ctx, args) => {
    const { input, target, weight, ignore_index, label_smoothing } = args;
    const reduction = reductionOf(args);
    if (label_smoothing < 0 || label_smoothing > 1)
      throw torchError(
        "RuntimeError",
        `label_smoothing must be between 0.0 and 1.0. Got: ${label_smoothing}`,
      );
    if (sameSizes(input, target))
      return ofProbabilities(ctx, input, target, weight, ignore_index, {
        reduction,
        smooth: label_smoothing,
      });
    needFloatKernel("log_softmax_lastdim_kernel_impl", input);
    refuseGradientOf(ctx, nllKernel(input), "weight", weight);
    const picked = pick(ctx, input, target, weight, ignore_index);
    const write = roundsSteps(input.dtype) ? ofClassesInHalf : ofClasses;
    const typed = write(ctx, input, picked, reduction, label_smoothing);
    return { typed, as: input.dtype };
  },
});

const nllKernel = (input: Tensor): string =>
  input.shape.length > 2 ? "nll_loss2d_forward" : "nll_loss_forward";

const sameSizes = (input: Tensor, target: Tensor): boolean =>
  input.shape.join() === target.shape.join();

/** In half precision: log-softmax, the likelihood and what smooths it are kernels of their own. */
function ofClassesInHalf(
  ctx: CallContext,
  input: Tensor,
  picked: Picked,
  reduction: Reduction,
  smooth: number,
): Value {
  const { emit } = ctx;
  const type = input.dtype;
  const logs = rounded(emit, logSoftmaxOf(emit, ctx.read(input), picked.axis, type), type);
  const likelihood = likelihoodInHalf(emit, logs, picked, reduction, type);
  if (smooth === 0) return likelihood;
  const uniform = uniformInHalf(emit, logs, picked, reduction, type);
  const step = inKernels(emit, type);
  const times = (x: Value, y: number) => step.op("Mul", [x, emit.scalar(y, x.dtype)]);
  return step.op("Add", [times(likelihood, 1 - smooth), times(uniform, smooth / picked.classes)]);
}

/** The loss and, as its gradient, (softmax − target) times what each row counts. */
function ofClasses(
  ctx: CallContext,
  input: Tensor,
  picked: Picked,
  reduction: Reduction,
  smooth: number,
): Value {
  const { emit } = ctx;
  const x = ctx.read(input);
  let logs: Value = x;
  const [loss] = emit.grouped(
    [x],
    () => {
      logs = logSoftmaxOf(emit, x, picked.axis, input.dtype);
      const likelihood = negativeLogLikelihood(emit, logs, picked, reduction);
      if (smooth === 0) return [likelihood];
      const uniform = uniformLoss(emit, logs, picked, reduction);
      return [
        emit.op("Add", [
          emit.op("Mul", [likelihood, emit.scalar(1 - smooth, x.dtype)]),
          emit.op("Mul", [uniform, emit.scalar(smooth / picked.classes, x.dtype)]),
        ]),
      ];
    },
    (backward, [d]) => [d ? gradient(backward, logs, picked, reduction, smooth, d) : null],
  );
  return loss as Value;
}

/** −Σ w · log p over the classes: what label smoothing mixes in. */
function uniformLoss(emit: Emit, logs: Value, picked: Picked, reduction: Reduction): Value {
  const weighed = picked.weight ? emit.op("Mul", [logs, picked.weight]) : logs;
  const sum = emit.op("ReduceSum", [weighed, emit.ints([picked.axis])], { keepdims: 1 });
  return negatedLoss(emit, reduced(emit, counted(emit, sum, picked), picked, reduction), picked);
}

/**
 * With s what a row's loss counts, t its target, w the weights and ε the smoothing:
 * dx = s · (p · ((1 − ε) w_t + ε/C · Σ w) − (1 − ε) w_t · onehot(t) − ε/C · w).
 */
function gradient(
  emit: Emit,
  logs: Value,
  picked: Picked,
  reduction: Reduction,
  smooth: number,
  d: Value,
): Value {
  const { axis, classes, indices, share, weight, valid } = picked;
  const times = (x: Value, y: Value | number) =>
    emit.op("Mul", [x, typeof y === "number" ? emit.scalar(y, x.dtype) : y]);
  const column = logs.shape.with(axis, 1);
  const perRow = emit.op("Expand", [rowScale(emit, logs, picked, reduction, d), emit.ints(column)]);
  const ofTarget = share ? times(perRow, share) : perRow;
  const rest = smooth === 0 ? ofTarget : times(ofTarget, 1 - smooth);
  let total = rest;
  let spread: Value | null = null;
  if (smooth > 0) {
    const part = times(perRow, smooth / classes);
    spread = valid ? emit.op("Where", [valid, part, emit.scalar(0, part.dtype)]) : part;
    const mass = weight
      ? emit.op("ReduceSum", [weight, null], { keepdims: 0 })
      : emit.scalar(classes, logs.dtype);
    total = emit.op("Add", [rest, times(spread, mass)]);
  }
  const scaled = times(emit.op("Exp", [logs]), total);
  const smoothed = spread
    ? emit.op("Sub", [scaled, weight ? times(weight, spread) : spread])
    : scaled;
  const updates = emit.op("Neg", [rest]);
  return emit.op("ScatterElements", [smoothed, indices, updates], { axis, reduction: "add" });
}

/** The gradient of the sum of a row's losses. */
function rowScale(emit: Emit, logs: Value, picked: Picked, reduction: Reduction, d: Value): Value {
  if (reduction === "none") return reshapeTo(emit, d, logs.shape.with(picked.axis, 1));
  if (reduction === "sum") return d;
  if (picked.share === null)
    return emit.op("Mul", [d, emit.scalar(1 / numel(picked.shape), d.dtype)]);
  const each = emit.op("Div", [d, emit.op("ReduceSum", [picked.share, null], { keepdims: 0 })]);
  // Where none weighs anything the loss is NaN; only rows that are ignored have a gradient, of 0.
  return picked.valid ? emit.op("Where", [picked.valid, each, emit.scalar(0, each.dtype)]) : each;
}

/** Targets as probabilities of all classes: they may have a gradient too. */
function ofProbabilities(
  ctx: CallContext,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  ignored: number,
  { reduction, smooth }: { readonly reduction: Reduction; readonly smooth: number },
): Typed {
  const { emit } = ctx;
  if (!isFloat(target.dtype))
    throw torchError(
      "RuntimeError",
      `Expected floating point type for target with class probabilities, got ${cppName(typeOf(target))}`,
    );
  if (ignored >= 0)
    throw torchError("RuntimeError", "ignore_index is not supported for floating point target");
  const type = ctx.promote(input, target);
  const axis = input.shape.length > 1 ? 1 : 0;
  const classes = input.shape[axis] as number;
  const share = weight && ctx.as(weight, typeOf(weight));
  const along = [classes, ...input.shape.slice(axis + 1).map(() => 1)];
  const { op, whole } = typedCalls(ctx);
  const logs = logsOf(ctx, input, axis);
  const given = heldFloat(ctx, target, type);
  const wanted = smooth === 0 ? given : op("Add", op("Mul", given, 1 - smooth), smooth / classes);
  const products = op("Mul", logs, wanted);
  const weighed =
    share && weight
      ? op("Mul", products, { value: reshapeTo(emit, share, along), type: typeOf(weight) })
      : products;
  const axes = reduction === "none" ? emit.ints([axis]) : null;
  const sum = whole("ReduceSum", [weighed], (to, _type, [x]) =>
    to.op("ReduceSum", [x as Value, axes], { keepdims: 0 }),
  );
  const losses = op("Neg", sum);
  const count = numel(input.shape) / classes;
  const { value, type: as } = reduction === "mean" ? op("Div", losses, count) : losses;
  return { typed: value, as };
}

/** Logarithms of the shares of a row, in the type of the input. */
function logsOf(ctx: CallContext, input: Tensor, axis: number): Held {
  const type = isFloat(input.dtype) ? typeOf(input) : ctx.promoteToFloat(input);
  const logs = logSoftmaxOf(ctx.emit, ctx.as(input, type), axis, type);
  return { value: rounded(ctx.emit, logs, type), type };
}
