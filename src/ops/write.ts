/** Small groups of nodes that gradient rules and torch calls write often. */
import type { Emit, Value } from "../graph/graph.ts";
import { allocate, type DType, isFloat, numel, sameShape } from "../graph/tensor.ts";
import { reducedAxes } from "./shapes.ts";

export function transpose(emit: Emit, x: Value, perm: readonly number[]): Value {
  if (perm.every((from, to) => from === to)) return x;
  return emit.op("Transpose", [x], { perm });
}

export function swapLastTwo(emit: Emit, x: Value): Value {
  const perm = x.shape.map((_, axis) => axis);
  const last = perm.length - 1;
  return transpose(emit, x, [...perm.slice(0, -2), last, last - 1]);
}

export const reshapeTo = (emit: Emit, x: Value, shape: readonly number[]): Value =>
  sameShape(x.shape, shape) ? x : emit.op("Reshape", [x, emit.ints(shape)], { allowzero: 1 });

export const expandTo = (emit: Emit, x: Value, shape: readonly number[]): Value =>
  sameShape(x.shape, shape) ? x : emit.op("Expand", [x, emit.ints(shape)]);

export const castTo = (emit: Emit, x: Value, dtype: DType): Value =>
  x.dtype === dtype ? x : emit.op("Cast", [x], { to: dtype });

/**
 * a where the condition holds, b elsewhere, in the types that providers have no Where for: truths in
 * logic, short integers as longer ones.
 */
export function selected(emit: Emit, condition: Value, a: Value, b: Value): Value {
  if (a.dtype === "bool") {
    const without = emit.op("Not", [condition]);
    return emit.op("Or", [emit.op("And", [condition, a]), emit.op("And", [without, b])]);
  }
  if (a.dtype !== "int8" && a.dtype !== "int16") return emit.op("Where", [condition, a, b]);
  const wide = [a, b].map((x) => castTo(emit, x, "int32")) as [Value, Value];
  return castTo(emit, emit.op("Where", [condition, ...wide]), a.dtype);
}

/**
 * The result of a call as its gradient computes it once more, where that is differentiated and PyTorch's
 * reads the arguments alone: nothing then comes back to the result.
 */
export const recomputed = (emit: Emit, result: Value, make: () => Value): Value =>
  emit.gradMode ? make() : result;

/** A gradient that PyTorch differentiates by `argument` to zeros, though it only looks where that lies. */
export function flatIn(emit: Emit, argument: Value, gradient: Value): Value {
  if (!emit.gradMode || !argument.requiresGrad) return gradient;
  const [made] = emit.grouped(
    [gradient, argument],
    () => [emit.op("Identity", [gradient])],
    (backward, [d]) => [d ?? null, zerosOf(backward, argument.dtype, argument.shape)],
  );
  return made as Value;
}

/** −1, 0 or 1; 0 of NaN, of which ONNX Runtime's Sign makes NaN. */
export function signOf(emit: Emit, x: Value): Value {
  const sign = emit.op("Sign", [x]);
  return isFloat(x.dtype)
    ? emit.op("Where", [emit.op("IsNaN", [x]), emit.scalar(0, x.dtype), sign])
    : sign;
}

/**
 * z · (1 + 0i) of pairs on the last axis: what PyTorch adds to a complex number, for its sums multiply
 * by a factor whatever it is. An infinite part leaves no number to the other.
 */
export function asAddend(emit: Emit, z: Value): Value {
  const swapped = emit.op("Gather", [z, emit.ints([1, 0])], { axis: z.shape.length - 1 });
  const data = allocate(z.dtype, 2);
  data.set([-0, 0]);
  const zeros = emit.constant({ dtype: z.dtype, shape: [2], data });
  return emit.op("Add", [z, emit.op("Mul", [swapped, zeros])]);
}

/** x rounded towards zero. */
export const truncated = (emit: Emit, x: Value): Value =>
  emit.op("Mul", [emit.op("Sign", [x]), emit.op("Floor", [emit.op("Abs", [x])])]);

/** The number of a constant with one element, else null. What an input is fed is no constant. */
export const constantNumber = (x: Value): number | null =>
  x.role === "constant" && x.data?.length === 1 ? (x.data[0] ?? null) : null;

/** A tensor of zeros that the graph makes at each run. */
export const zerosOf = (emit: Emit, dtype: DType, shape: readonly number[]): Value =>
  emit.op("ConstantOfShape", [emit.ints(shape)], {
    value: { dtype, shape: [1], data: allocate(dtype, 1) },
  });

const none = new WeakSet<Value>();

/** Zeros in the place of a gradient that did not arrive: a rule may leave out what rests on it. */
export function noneLike(emit: Emit, like: Value): Value {
  const zeros = expandTo(emit, emit.scalar(0, like.dtype), like.shape);
  // A number is shared with others that are 0.
  if (like.shape.length > 0) none.add(zeros);
  return zeros;
}

export const isNone = (gradient: Value): boolean => none.has(gradient);

/** `shape` with size 1 at the reduced axes: what a Reduce operator gives with keepdims. */
export function keptShape(
  data: Value,
  axes: Value | null,
  attrs: { readonly noop_with_empty_axes?: number },
): number[] {
  const reduced = new Set(reducedAxes("Reduce", data, axes, attrs.noop_with_empty_axes ?? 0));
  return data.shape.map((size, axis) => (reduced.has(axis) ? 1 : size));
}

/**
 * The gradient of a maximum or minimum: equal shares for all elements that attain it (PyTorch's
 * amax).
 */
export function shareAmongTies(
  emit: Emit,
  data: Value,
  axes: Value | null,
  attrs: { readonly noop_with_empty_axes?: number },
  reduced: Value,
  dReduced: Value,
): Value {
  const kept = keptShape(data, axes, attrs);
  const attains = emit.op("Equal", [data, reshapeTo(emit, reduced, kept)]);
  const mask = castTo(emit, attains, data.dtype);
  const count = emit.op("ReduceSum", [mask, axes], {
    keepdims: 1,
    noop_with_empty_axes: attrs.noop_with_empty_axes ?? 0,
  });
  return emit.op("Mul", [mask, emit.op("Div", [reshapeTo(emit, dReduced, kept), count])]);
}

/** x[start:end] along one axis. */
export function sliceAxis(emit: Emit, x: Value, axis: number, start: number, end: number): Value {
  if (start === 0 && end === x.shape[axis]) return x;
  return emit.op("Slice", [x, emit.ints([start]), emit.ints([end]), emit.ints([axis])]);
}

/** The axes read backwards. */
export function reverse(emit: Emit, x: Value, axes: readonly number[]): Value {
  const all = (value: number) => emit.ints(axes.map(() => value));
  const beforeFirst = Number.MIN_SAFE_INTEGER;
  return emit.op("Slice", [x, all(-1), all(beforeFirst), emit.ints(axes), all(-1)]);
}

/** Zeros put before and after each axis; a negative number of them cuts off. */
export function padBy(
  emit: Emit,
  x: Value,
  before: readonly number[],
  after: readonly number[],
): Value {
  const pads = [...before, ...after];
  if (pads.every((size) => size === 0)) return x;
  if (pads.some((size) => size > 0)) return emit.op("Pad", [x, emit.ints(pads)]);
  const axes = x.shape.flatMap((_, k) => (before[k] !== 0 || after[k] !== 0 ? [k] : []));
  const starts = axes.map((k) => -(before[k] as number));
  const ends = axes.map((k) => (x.shape[k] as number) + (after[k] as number));
  return emit.op("Slice", [x, emit.ints(starts), emit.ints(ends), emit.ints(axes)]);
}

/**
 * Zeros of `size` along `axis` to which the entries of x are added at `indices` (rank 1):
 * the gradient of Gather.
 */
export function addAlongAxis(
  emit: Emit,
  x: Value,
  axis: number,
  indices: Value,
  size: number,
): Value {
  const only = constantNumber(indices);
  if (only !== null) {
    const at = only < 0 ? only + size : only;
    const none = x.shape.map(() => 0);
    return padBy(emit, x, none.with(axis, at), none.with(axis, size - 1 - at));
  }
  const axes = x.shape.map((_, k) => k);
  const front = transpose(emit, x, [axis, ...axes.toSpliced(axis, 1)]);
  const zeros = zerosOf(emit, x.dtype, front.shape.with(0, size));
  const rows = reshapeTo(emit, indices, [...indices.shape, 1]);
  const sum = emit.op("ScatterND", [zeros, rows, front], { reduction: "add" });
  return transpose(
    emit,
    sum,
    axes.map((k) => (k === axis ? 0 : k < axis ? k + 1 : k)),
  );
}

/** GatherND's indices with the place in the first `batchDims` axes written out. */
export function batchedIndices(emit: Emit, indices: Value, batchDims: number): Value {
  if (batchDims === 0) return indices;
  const shape = indices.shape.slice(0, -1);
  const places = shape.slice(0, batchDims).map((size, axis) => {
    const along = emit.ints(Array.from({ length: size }, (_, i) => i));
    const column = reshapeTo(emit, along, [...shape.map((_, k) => (k === axis ? size : 1)), 1]);
    return expandTo(emit, column, [...shape, 1]);
  });
  return emit.op("Concat", [...places, indices], { axis: -1 });
}

/** A constant of the type and shape of `like` whose elements are all `value`. */
export function filled(emit: Emit, value: number, like: Value): Value {
  const data = allocate(like.dtype, numel(like.shape)).fill(value);
  return emit.constant({ dtype: like.dtype, shape: like.shape, data });
}

/**
 * The mean of x · scale over the axes from `axis` on, which keep size 1: a product with the column
 * scale / N, which reads x once and writes one number a row.
 */
export function meanOfProduct(emit: Emit, x: Value, scale: Value, axis: number): Value {
  const kept = x.shape.map((size, k) => (k < axis ? size : 1));
  const count = numel(x.shape.slice(axis));
  const share = emit.op("Mul", [scale, emit.scalar(1 / count, x.dtype)]);
  const column = reshapeTo(emit, expandTo(emit, share, x.shape.slice(axis)), [count, 1]);
  const rows = reshapeTo(emit, x, [numel(kept), count]);
  return reshapeTo(emit, emit.op("MatMul", [rows, column]), kept);
}

/** The mean over the axes from `axis` on, which keep size 1. */
export function meanFrom(emit: Emit, x: Value, axis: number): Value {
  const axes = x.shape.flatMap((_, k) => (k >= axis ? [k] : []));
  return emit.op("ReduceMean", [x, emit.ints(axes)], { keepdims: 1 });
}

/**
 * The gradients of Max and Min: equal shares for the inputs that attain the result. Of two inputs
 * each gets all but what `beaten` takes from it, which lets a NaN's gradient pass to both, as in
 * PyTorch.
 */
export function shareAmongInputs(
  emit: Emit,
  inputs: readonly Value[],
  result: Value,
  d: Value,
  beaten: "Less" | "Greater",
): Value[] {
  const [a, b] = inputs;
  if (inputs.length === 2 && a && b) {
    const half = emit.op("Mul", [d, emit.scalar(0.5, d.dtype)]);
    const tied = emit.op("Where", [emit.op("Equal", [a, b]), half, d]);
    const zero = emit.scalar(0, d.dtype);
    const part = (x: Value, y: Value) => emit.op("Where", [emit.op(beaten, [x, y]), zero, tied]);
    return [part(a, b), part(b, a)];
  }
  const masks = inputs.map((x) => castTo(emit, emit.op("Equal", [x, result]), d.dtype));
  const share = emit.op("Div", [d, emit.op("Sum", masks)]);
  return masks.map((mask) => emit.op("Mul", [mask, share]));
}

/** min(max(x, low), high); a bound that is missing is infinite, because kernels take the largest number there is. */
export function clipTo(emit: Emit, x: Value, low: Value | null, high: Value | null): Value {
  if (!isFloat(x.dtype)) return emit.op("Clip", [x, low, high]);
  const bound = (given: Value | null, value: number) => given ?? emit.scalar(value, x.dtype);
  const bounds = [bound(low, Number.NEGATIVE_INFINITY), bound(high, Number.POSITIVE_INFINITY)];
  return emit.op("Clip", [x, ...bounds]);
}
