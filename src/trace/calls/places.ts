/** Index tensors: what PyTorch refuses of them, and how they are read. */
import { type NormscopeError, type PythonErrorType, torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { farBelow } from "../../graph/negativeIndex.ts";
import type { HostArray } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { isNeverNegative, isPlaceBelow } from "../../ops/neverNegative.ts";
import { castTo, expandTo, reshapeTo, transpose } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import { writtenAs } from "../passThrough.ts";
import type { Tensor } from "../tensor.ts";

export const int64 = { dtype: "int64", isComplex: false } as const;

export const isIndex = (index: Tensor): boolean =>
  index.dtype === "int64" || index.dtype === "int32";

/** Where the numbers are known: what the runtime would refuse later, without a line. */
export function refuseOutside(
  ctx: CallContext,
  index: Tensor,
  range: { readonly from: number; readonly below: number },
  refuse: (at: number) => Error,
): void {
  for (const at of ctx.store.shown(index) ?? [])
    if (at < range.from || at >= range.below) throw refuse(at);
}

/** Negative ones are refused when the graph runs (see `farBelow`). */
export function withoutNegative(emit: Emitter, indices: Value): Value {
  if (isNeverNegative(indices, emit.makerOf)) return indices;
  const isNegative = emit.op("Less", [indices, emit.scalar(0, "int64")]);
  const moved = emit.op("Sub", [indices, emit.scalar(farBelow, "int64")]);
  return emit.op("Where", [isNegative, moved, indices]);
}

/** The labels as they stand in a table of all: the runtime names one that is not there. */
export function lookedUp({ emit }: CallContext, labels: Value, classes: number): Value {
  if (isPlaceBelow(labels, classes, emit.makerOf)) return labels;
  const bounds = [0, classes, 1].map((n) => emit.scalar(n, "int64"));
  return emit.op("Gather", [emit.op("Range", bounds), withoutNegative(emit, labels)], { axis: 0 });
}

/**
 * Places that `refuse` has a say in: those that are known at once, others when the graph runs.
 * Negative ones count from the end where `from` is below 0.
 */
export function placesWithin(
  ctx: CallContext,
  index: Tensor,
  range: { readonly from: number; readonly below: number },
  refuse: (at: number | string) => NormscopeError,
): Value {
  refuseOutside(ctx, index, range, refuse);
  return ctx.store.shown(index)
    ? readIndex(ctx, index)
    : valuesWithin(ctx, readIndex(ctx, index), range, refuse);
}

/** The same of a value of the graph. */
export function valuesWithin(
  ctx: CallContext,
  places: Value,
  { from, below }: { readonly from: number; readonly below: number },
  refuse: (at: number | string) => NormscopeError,
): Value {
  const { emit } = ctx;
  if (isPlaceBelow(places, below, emit.makerOf) || ctx.isFree(below) || !ctx.inStep) {
    return from < 0 ? places : withoutNegative(emit, places);
  }
  const { pythonType, message } = refuse("{}");
  const refusal = { pythonType: pythonType ?? "IndexError", message };
  return writtenAs(emit, { ...emit.origin, refusal }, emit.gradMode, () => {
    const bounds = [0, below, 1].map((n) => emit.scalar(n, "int64"));
    const given = from < 0 ? places : withoutNegative(emit, places);
    return emit.op("Gather", [emit.op("Range", bounds), given], { axis: 0 });
  });
}

/** `index 5 is out of bounds for dimension 0 with size 3`, as a kernel says it. */
export const outOfBounds =
  (axis: number, size: number, pythonType: PythonErrorType = "RuntimeError", name = "") =>
  (at: number | string): NormscopeError =>
    torchError(
      pythonType,
      `${name}index ${at} is out of bounds for dimension ${axis} with size ${size}`,
    );

/** The index as int64, of rank 1 or more. */
export function readIndex(ctx: CallContext, index: Tensor): Value {
  const value = castTo(ctx.emit, ctx.store.read(index), "int64");
  return index.shape.length === 0 ? reshapeTo(ctx.emit, value, [1]) : value;
}

/** An index into elements that are pairs: the same for both parts. */
export function overPairs(emit: Emit, index: Value, input: Tensor): Value {
  if (!input.isComplex) return index;
  const column = reshapeTo(emit, index, [...index.shape, 1]);
  return expandTo(emit, column, [...index.shape, 2]);
}

/** Numbers that are known on the host as a tensor of int64. */
export const indices = (numbers: ArrayLike<number>, shape: readonly number[]): HostArray => ({
  dtype: "int64",
  shape,
  data: Float64Array.from(numbers),
});

/** x with the blocks x[…, index[k], …] along `axis` replaced by, or combined with, updates[…, k, …]. */
export function scatterBlocks(
  emit: Emit,
  x: Value,
  axis: number,
  index: Value,
  updates: Value,
  reduction: "none" | "add",
): Value {
  if (x.dtype === "bool" && reduction === "add") {
    const [wide, added] = [x, updates].map((part) => castTo(emit, part, "int32"));
    const sum = scatterBlocks(emit, wide as Value, axis, index, added as Value, "add");
    return castTo(emit, sum, "bool");
  }
  const axes = x.shape.map((_, k) => k);
  const toFront = [axis, ...axes.toSpliced(axis, 1)];
  const edited = emit.op(
    "ScatterND",
    [
      transpose(emit, x, toFront),
      reshapeTo(emit, index, [...index.shape, 1]),
      transpose(emit, updates, toFront),
    ],
    { reduction },
  );
  return transpose(
    emit,
    edited,
    axes.map((k) => toFront.indexOf(k)),
  );
}

/** The tensor's value, of rank 1 where it has no axes. */
export function lined(ctx: CallContext, x: Tensor): Value {
  const value = ctx.store.read(x);
  return x.shape.length === 0 ? reshapeTo(ctx.emit, value, [1, ...value.shape]) : value;
}

export const listed = (shape: readonly number[]): string => `[${shape.join(", ")}]`;
