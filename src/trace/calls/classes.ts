/** Class numbers as targets: which entries they pick, which are ignored, what each counts. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo } from "../../ops/write.ts";
import { float, int, keyword, optional, tensor, text, withDefault } from "../arguments.ts";
import type { CallContext } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { sizeText } from "./matmulErrors.ts";
import { lookedUp } from "./places.ts";

export const reductionParams = {
  size_average: optional(float),
  reduce: optional(float),
  reduction: withDefault(text, "mean"),
};

export const classParams = {
  input: tensor,
  target: tensor,
  weight: optional(tensor),
  size_average: optional(float),
  ignore_index: withDefault(int, -100),
  reduce: optional(float),
  reduction: withDefault(text, "mean"),
};
export const smoothing = keyword(withDefault(float, 0));

export type Reduction = "none" | "mean" | "sum";

/** `size_average` and `reduce` are PyTorch's older names for it. */
export function reductionOf(args: {
  readonly size_average: number | null;
  readonly reduce: number | null;
  readonly reduction: string;
}): Reduction {
  if (args.reduce === 0) return "none";
  if (args.size_average !== null) return args.size_average === 0 ? "sum" : "mean";
  if (args.reduction !== "none" && args.reduction !== "mean" && args.reduction !== "sum")
    throw torchError("ValueError", `${args.reduction} is not a valid value for reduction`);
  return args.reduction;
}

/** What targets pick along `axis`; every value has size 1 there. */
export interface Picked {
  readonly axis: number;
  readonly classes: number;
  readonly shape: readonly number[];
  readonly indices: Value;
  /** bool; null: all count. */
  readonly valid: Value | null;
  /** The weight of each target's class, 0 where it is ignored; null: all weigh 1. */
  readonly share: Value | null;
  /** [classes], broadcast along `axis`. */
  readonly weight: Value | null;
}

export function pick(
  ctx: CallContext,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  ignored: number,
): Picked {
  const { emit } = ctx;
  const axis = input.shape.length > 1 ? 1 : 0;
  const classes = input.shape[axis] as number;
  refuseTargets(input, target);
  refuseWeight(input, weight, classes);
  refuseOutside(ctx, target, classes, ignored);
  const shape = input.shape.with(axis, 1);
  const given = reshapeTo(emit, castTo(emit, ctx.store.read(target), "int64"), shape);
  const valid = mayIgnore(given, ignored)
    ? emit.op("Not", [emit.op("Equal", [given, emit.scalar(ignored, "int64")])])
    : null;
  const labels = valid ? emit.op("Where", [valid, given, emit.scalar(0, "int64")]) : given;
  const indices = ctx.store.isKnown(target) ? labels : lookedUp(ctx, labels, classes);
  const perClass = weight && ctx.as(weight, input.dtype);
  const dtype = perClass?.dtype ?? ctx.read(input).dtype;
  const counts = valid && castTo(emit, valid, dtype);
  const ofTargets = perClass && emit.op("Gather", [perClass, indices], { axis: 0 });
  const share = counts && ofTargets ? emit.op("Mul", [counts, ofTargets]) : (ofTargets ?? counts);
  const along = [classes, ...input.shape.slice(axis + 1).map(() => 1)];
  return {
    axis,
    classes,
    shape: target.shape,
    indices,
    valid,
    share,
    weight: perClass && reshapeTo(emit, perClass, along),
  };
}

/** −log p of the targets, reduced. */
export function negativeLogLikelihood(
  emit: Emit,
  logits: Value,
  picked: Picked,
  reduction: Reduction,
): Value {
  const { axis, indices, share } = picked;
  const taken = counted(emit, emit.op("GatherElements", [logits, indices], { axis }), picked);
  const weighed = picked.weight && share ? emit.op("Mul", [taken, share]) : taken;
  return negatedLoss(emit, reduced(emit, weighed, picked, reduction), picked);
}

/** −x; what is ignored stays 0 without a sign. */
export const negatedLoss = (emit: Emit, x: Value, { valid }: Picked): Value =>
  valid ? emit.op("Sub", [emit.scalar(0, x.dtype), x]) : emit.op("Neg", [x]);

/** 0 where the target is ignored, even if the value is −∞. */
export const counted = (emit: Emit, value: Value, { valid }: Picked): Value =>
  valid ? emit.op("Where", [valid, value, emit.scalar(0, value.dtype)]) : value;

/** The mean is over the weights of the targets that count. */
export function reduced(emit: Emit, losses: Value, picked: Picked, reduction: Reduction): Value {
  if (reduction === "none") return reshapeTo(emit, losses, picked.shape);
  const sumOf = (x: Value) => emit.op("ReduceSum", [x, null], { keepdims: 0 });
  if (reduction === "sum") return sumOf(losses);
  if (picked.share === null) return emit.op("ReduceMean", [losses, null], { keepdims: 0 });
  return emit.op("Div", [sumOf(losses), sumOf(picked.share)]);
}

/** A constant that does not hold the number saves the mask. */
const mayIgnore = (target: Value, ignored: number): boolean =>
  target.role !== "constant" || target.data === null || target.data.includes(ignored);

function refuseTargets(input: Tensor, target: Tensor): void {
  if (input.shape.length > 1 && input.shape[0] !== target.shape[0])
    throw torchError(
      "ValueError",
      `Expected input batch_size (${input.shape[0]}) to match target batch_size (${target.shape[0] ?? 0}).`,
    );
  if (target.dtype !== "int64" && target.dtype !== "uint8")
    throw torchError(
      "RuntimeError",
      `expected target dtype to be Long or Byte, but got ${cppName(typeOf(target))}`,
      "Class numbers are integers: convert them with .long()",
    );
  if (input.shape.length <= 2 && target.shape.length > 1)
    throw torchError("RuntimeError", "0D or 1D target tensor expected, multi-target not supported");
  const wanted = input.shape.length > 1 ? input.shape.toSpliced(1, 1) : [];
  const fits = wanted.length === target.shape.length && numel(wanted) === numel(target.shape);
  if (!fits || wanted.some((size, axis) => size !== target.shape[axis]))
    throw torchError(
      "RuntimeError",
      `Expected target size ${sizeText(wanted)}, got ${sizeText(target.shape)}`,
    );
}

function refuseWeight(input: Tensor, weight: Tensor | null, classes: number): void {
  if (weight === null) return;
  if (weight.shape.length !== 1 || weight.shape[0] !== classes)
    throw torchError(
      "RuntimeError",
      `weight tensor should be defined either for all ${classes} classes or no classes but got weight tensor of shape: ${sizeText(weight.shape)}`,
    );
  if (weight.dtype !== input.dtype)
    throw torchError(
      "RuntimeError",
      `expected scalar type ${cppName(typeOf(input))} but found ${cppName(typeOf(weight))}`,
    );
}

function refuseOutside(ctx: CallContext, target: Tensor, classes: number, ignored: number): void {
  for (const label of ctx.store.shown(target) ?? [])
    if (label !== ignored && (label < 0 || label >= classes))
      throw torchError(
        "IndexError",
        `Target ${label} is out of bounds.`,
        `There are ${classes} classes, numbered from 0`,
      );
}
