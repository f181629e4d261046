/** What calls that take axes away share: which axes, which nodes, which type. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, isHalf, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo } from "../../ops/write.ts";
import { bool, type DTypeArg, dtype, ints, keyword, optional, withDefault } from "../arguments.ts";
import type { CallContext } from "../call.ts";
import { category, isComplexType, type TorchType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { distinctAxes } from "../views.ts";

export const dims = optional(ints);
export const keepdim = withDefault(bool, false);
export const resultDType = keyword(optional(dtype));

/** The axes that `dim` names, from the front; none named: all. */
export function axesOf(dim: readonly number[] | null, rank: number): number[] {
  if (dim === null || dim.length === 0) return Array.from({ length: rank }, (_, axis) => axis);
  return distinctAxes(dim, rank).filter((axis) => axis < rank);
}

export const keptShape = (shape: readonly number[], axes: readonly number[]): number[] =>
  shape.map((size, axis) => (axes.includes(axis) ? 1 : size));

export const reducedShape = (
  shape: readonly number[],
  axes: readonly number[],
  keep: boolean,
): number[] => (keep ? keptShape(shape, axes) : shape.filter((_, axis) => !axes.includes(axis)));

export function refuseEmptyAxes(name: string, { shape }: Tensor, axes: readonly number[]): void {
  const empty = axes.find((axis) => shape[axis] === 0);
  if (empty !== undefined)
    throw torchError(
      "IndexError",
      `${name}(): Expected reduction dim ${empty} to have non-zero size.`,
    );
}

/** One Reduce operator; `ofNothing` is what PyTorch gives where no elements are reduced. */
export function reduce(
  emit: Emit,
  op: string,
  x: Value,
  axes: readonly number[],
  keep: boolean,
  ofNothing = 0,
): Value {
  if (numel(x.shape) === 0 && op !== "ReduceSum") {
    const zeros = reduce(emit, "ReduceSum", x, axes, keep);
    return emit.op("Add", [zeros, emit.scalar(ofNothing, x.dtype)]);
  }
  // Over no axis of what has some: pairs of a complex number without axes.
  if (axes.length === 0 && x.shape.length > 0) return emit.op("Identity", [x]);
  const all = axes.length === x.shape.length;
  return emit.op(op, [x, all ? null : emit.ints(axes)], { keepdims: keep ? 1 : 0 });
}

/** A NaN among the elements is the extreme: ONNX Runtime passes it over. */
export function nanWhereAny(
  emit: Emit,
  x: Value,
  extreme: Value,
  axes: readonly number[],
  keep: boolean,
): Value {
  const isNan = emit.op("Cast", [emit.op("IsNaN", [x])], { to: "float32" });
  const any = emit.op("Cast", [reduce(emit, "ReduceMax", isNan, axes, keep)], { to: "bool" });
  return emit.op("Where", [any, emit.scalar(Number.NaN, x.dtype), extreme]);
}

/** A reduced value under the rank of what was reduced, so that it broadcasts against it. */
export const broadcastBack = (
  emit: Emit,
  reduced: Value,
  shape: readonly number[],
  axes: readonly number[],
): Value => reshapeTo(emit, reduced, keptShape(shape, axes));

/** The type asked for, else the tensor's. */
export const askedType = (asked: DTypeArg | null, input: Tensor): TorchType =>
  asked === null ? typeOf(input) : typeOf(asked);

/** The type asked for, else the tensor's, integers becoming int64; what requires a gradient stays a float. */
export function sumType(ctx: CallContext, asked: DTypeArg | null, input: Tensor): TorchType {
  const type = askedType(asked, input);
  if (category(type) < 2 && ctx.emit.gradMode && ctx.store.requiresGrad(input))
    throw torchError("RuntimeError", `Autograd not support dtype: ${cppName(type)}`);
  return asked !== null || isComplexType(type) || isFloat(type) ? type : "int64";
}

/** Refuses integers where PyTorch has no integer result. */
export function needFloat(name: string, type: TorchType): void {
  if (isComplexType(type) || isFloat(type)) return;
  throw torchError(
    "NotImplementedError",
    `${name}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ${cppName(type)}`,
  );
}

/** Whether any element is not zero, as bool. */
export const isNonzero = (emit: Emit, x: Value): Value =>
  x.dtype === "bool" ? x : emit.op("Not", [emit.op("Equal", [x, emit.scalar(0, x.dtype)])]);

/** The largest finite number of a type that orders are found in. */
const most = { float32: 3.4028234663852886e38, float64: Number.MAX_VALUE } as const;

/**
 * What orders as PyTorch does, NaN above (or `below`) all else: ONNX Runtime's order of NaN hangs on
 * its neighbours. Infinities of that side become the largest number.
 */
export function ordered(ctx: CallContext, x: Value, below = false): Value {
  if (!isFloat(x.dtype)) return comparable(ctx, x);
  const { emit } = ctx;
  const wide = isHalf(x.dtype) ? castTo(emit, x, "float32") : x;
  const sign = below ? -1 : 1;
  const end = emit.scalar(sign * most[wide.dtype as keyof typeof most], wide.dtype);
  const beyond = emit.scalar(sign * Number.POSITIVE_INFINITY, wide.dtype);
  const known = emit.op(below ? "Max" : "Min", [wide, end]);
  return emit.op("Where", [emit.op("IsNaN", [wide]), beyond, known]);
}

/** Element types for which every provider compares and reduces: narrow integers widened. */
export const comparable = (ctx: CallContext, x: Value): Value =>
  isFloat(x.dtype) || x.dtype === "int64" || x.dtype === "int32" ? x : castTo(ctx.emit, x, "int32");
