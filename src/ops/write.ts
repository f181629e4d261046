/** Small groups of nodes that gradient rules and torch calls write often. */
import type { Emit, Value } from "../graph/graph.ts";
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
  x.shape.length === shape.length && x.shape.every((size, axis) => size === shape[axis])
    ? x
    : emit.op("Reshape", [x, emit.ints(shape)], { allowzero: 1 });

export const expandTo = (emit: Emit, x: Value, shape: readonly number[]): Value =>
  x.shape.length === shape.length && x.shape.every((size, axis) => size === shape[axis])
    ? x
    : emit.op("Expand", [x, emit.ints(shape)]);

/** The gradient of a sum: d over the reduced axes repeated. It may stay of size 1 there: the walk broadcasts. */
export function expandReduced(
  emit: Emit,
  d: Value,
  data: Value,
  axes: Value | null,
  attrs: { readonly keepdims: number; readonly noop_with_empty_axes?: number },
): Value {
  const reduced = new Set(reducedAxes("Reduce", data, axes, attrs.noop_with_empty_axes ?? 0));
  const kept = data.shape.map((size, axis) => (reduced.has(axis) ? 1 : size));
  return expandTo(emit, reshapeTo(emit, d, kept), data.shape);
}
