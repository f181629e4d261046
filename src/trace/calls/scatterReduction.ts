/** scatter_reduce: combining what lands on one place, and PyTorch's gradient of it. */
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, isHalf } from "../../graph/tensor.ts";
import { castTo, expandTo, zerosOf } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import { integerRange } from "../promotion.ts";

export type Reduction = "sum" | "prod" | "mean" | "amax" | "amin";

const onnxName = { sum: "add", mean: "add", prod: "mul", amax: "max", amin: "min" } as const;

/** x along `axis` where updates land: their sum, product, …, with x's own element or without. */
export function reduceInto(
  emit: CallContext["emit"],
  x: Value,
  axis: number,
  index: Value,
  updates: Value,
  reduction: Reduction,
  withSelf: boolean,
): Value {
  // Half precision is combined in float32 and rounded once.
  const dtype = isHalf(x.dtype) ? "float32" : x.dtype === "bool" ? "int32" : x.dtype;
  const own = castTo(emit, x, dtype);
  const landing = castTo(emit, updates, dtype);
  const at: Landing = { axis, index, x: own, updates: landing, reduction, withSelf };
  // Truths are counted: any but 0 is true.
  if (!isFloat(dtype)) return castTo(emit, combine(emit, at), x.dtype);
  const made = emit.grouped(
    [own, landing],
    () => [combine(emit, at)],
    (backward, [d]) => (d ? gradients(backward, at, made[0] as Value, d) : [null, null]),
  );
  return castTo(emit, made[0] as Value, x.dtype);
}

interface Landing {
  readonly axis: number;
  readonly index: Value;
  readonly x: Value;
  readonly updates: Value;
  readonly reduction: Reduction;
  readonly withSelf: boolean;
}

const full = (emit: Emit, value: number, like: Value): Value =>
  expandTo(emit, emit.scalar(value, like.dtype), like.shape);

function scatter(emit: Emit, x: Value, at: Landing, updates: Value, reduction: string): Value {
  return emit.op("ScatterElements", [x, at.index, updates], { axis: at.axis, reduction });
}

const gather = (emit: Emit, x: Value, { index, axis }: Landing): Value =>
  emit.op("GatherElements", [x, index], { axis });

function combine(emit: Emit, at: Landing): Value {
  const { x, updates, reduction, withSelf } = at;
  const start = withSelf ? x : scatter(emit, x, at, full(emit, neutral(at), updates), "none");
  const combined = scatter(emit, start, at, updates, onnxName[reduction]);
  if (reduction !== "mean") return combined;
  const mean = emit.op("Div", [combined, counts(emit, at)]);
  if (isFloat(x.dtype)) return mean;
  // ONNX divides towards zero, PyTorch rounds the mean of integers down.
  const rest = emit.op("Sub", [combined, emit.op("Mul", [mean, counts(emit, at)])]);
  const below = castTo(emit, emit.op("Less", [rest, emit.scalar(0, x.dtype)]), x.dtype);
  return emit.op("Sub", [mean, below]);
}

function neutral({ reduction, x }: Landing): number {
  if (reduction === "sum" || reduction === "mean") return 0;
  if (reduction === "prod") return 1;
  const all = isFloat(x.dtype) ? Number.POSITIVE_INFINITY : Number.MAX_SAFE_INTEGER;
  const [low, high] = integerRange(x.dtype) ?? [-all, all];
  return reduction === "amin" ? high : low;
}

/** How many elements each place averages, at least 1. */
function counts(emit: Emit, at: Landing): Value {
  const { x, updates, withSelf } = at;
  const start = withSelf ? full(emit, 1, x) : zerosOf(emit, x.dtype, x.shape);
  const landed = scatter(emit, start, at, full(emit, 1, updates), "add");
  return withSelf ? landed : emit.op("Max", [landed, emit.scalar(1, x.dtype)]);
}

function gradients(emit: Emit, at: Landing, result: Value, d: Value): Value[] {
  const [dSelf, dUpdates] = ofEach(emit, at, result, d);
  if (at.withSelf) return [dSelf, dUpdates];
  return [scatter(emit, dSelf, at, full(emit, 0, at.updates), "none"), dUpdates];
}

function ofEach(emit: Emit, at: Landing, result: Value, d: Value): [Value, Value] {
  switch (at.reduction) {
    case "sum":
      return [d, gather(emit, d, at)];
    case "mean": {
      const share = emit.op("Div", [d, counts(emit, at)]);
      return [share, gather(emit, share, at)];
    }
    case "prod":
      return ofProduct(emit, at, result, d);
    default:
      return ofExtreme(emit, at, result, d);
  }
}

/** All elements that attain the extreme share its gradient. */
function ofExtreme(emit: Emit, at: Landing, result: Value, d: Value): [Value, Value] {
  const { x, updates } = at;
  const attains = (a: Value, b: Value) => castTo(emit, emit.op("Equal", [a, b]), x.dtype);
  const selfAttains = attains(x, result);
  const updateAttains = attains(updates, gather(emit, result, at));
  const share = emit.op("Div", [d, scatter(emit, selfAttains, at, updateAttains, "add")]);
  return [
    emit.op("Mul", [selfAttains, share]),
    emit.op("Mul", [updateAttains, gather(emit, share, at)]),
  ];
}

/** The product of the others: over a zero, a product in which it counts as 1. */
function ofProduct(emit: Emit, at: Landing, result: Value, d: Value): [Value, Value] {
  const { x, updates } = at;
  const [zero, one] = [emit.scalar(0, x.dtype), emit.scalar(1, x.dtype)];
  const isZero = (a: Value) => emit.op("Equal", [a, zero]);
  const withoutZeros = emit.op("Where", [isZero(x), one, x]);
  const others = combine(emit, { ...at, x: withoutZeros });
  const dSelf = emit.op("Div", [emit.op("Mul", [d, others]), withoutZeros]);

  const updateIsZero = isZero(updates);
  const zeros = castTo(emit, updateIsZero, x.dtype);
  const landed = scatter(emit, zerosOf(emit, x.dtype, x.shape), at, zeros, "add");
  const only = emit.op("Equal", [gather(emit, landed, at), one]);
  const isOnlyZero = emit.op("And", [updateIsZero, only]);
  const filled = emit.op("Where", [isOnlyZero, one, updates]);
  const besides = combine(emit, { ...at, updates: filled });
  const ofZero = gather(emit, emit.op("Mul", [d, besides]), at);
  const divisor = emit.op("Where", [updateIsZero, one, updates]);
  const ofOthers = emit.op("Div", [gather(emit, emit.op("Mul", [d, result]), at), divisor]);
  return [dSelf, emit.op("Where", [isOnlyZero, ofZero, ofOthers])];
}
