/** Reductions and per-line functions on host arrays. */
import { invariant } from "../../errors.ts";
import {
  allocate,
  type HostArray,
  type Numbers,
  numel,
  type TensorType,
} from "../../graph/tensor.ts";
import { reducedAxes } from "../shapes.ts";
import { broadcastIndex } from "./elementwise.ts";
import { roundTo } from "./round.ts";

type Axes = { readonly data?: Numbers | null } | null;
type ReduceAttrs = { readonly noop_with_empty_axes?: number };

/** Folds the reduced axes in float64; `finish` gets each total and how many elements it is of. */
export function reduce(
  data: HostArray,
  axes: Axes,
  attrs: ReduceAttrs,
  out: TensorType | undefined,
  start: number,
  step: (total: number, x: number) => number,
  finish: (total: number, count: number) => number = (total) => total,
): HostArray {
  invariant(out, "reduce needs an output type");
  const reduced = new Set(reducedAxes("Reduce", data, axes, attrs.noop_with_empty_axes ?? 0));
  const kept = data.shape.map((size, axis) => (reduced.has(axis) ? 1 : size));
  const index = broadcastIndex(kept, data.shape);
  const total = new Float64Array(numel(kept)).fill(start);
  for (let i = 0; i < data.data.length; i++) {
    const to = index === null ? i : (index[i] as number);
    total[to] = step(total[to] as number, data.data[i] as number);
  }
  const count = data.data.length / total.length;
  const result = allocate(out.dtype, total.length);
  for (let i = 0; i < total.length; i++) result[i] = finish(total[i] as number, count);
  roundTo(out.dtype, result);
  return { dtype: out.dtype, shape: out.shape, data: result };
}

/** Applies `f` to every line along one axis; what it returns is that line of the result. */
export function alongAxis(
  input: HostArray,
  axis: number,
  out: TensorType | undefined,
  f: (line: Float64Array) => ArrayLike<number>,
): HostArray {
  invariant(out, "alongAxis needs an output type");
  const at = axis < 0 ? axis + input.shape.length : axis;
  const size = input.shape[at] ?? 1;
  const inner = numel(input.shape.slice(at + 1));
  const outer = numel(input.shape.slice(0, at));
  const result = allocate(out.dtype, numel(out.shape));
  const resultSize = result.length / Math.max(outer * inner, 1);
  const line = new Float64Array(size);
  for (let o = 0; o < outer; o++)
    for (let i = 0; i < inner; i++) {
      for (let k = 0; k < size; k++) line[k] = input.data[(o * size + k) * inner + i] as number;
      const values = f(line);
      for (let k = 0; k < resultSize; k++)
        result[(o * resultSize + k) * inner + i] = values[k] as number;
    }
  roundTo(out.dtype, result);
  return { dtype: out.dtype, shape: out.shape, data: result };
}
