/** Which elements the indexed operators read and write, and writing them. */
import { contiguousStrides, type HostArray, numel } from "../../graph/tensor.ts";
import { roundTo } from "./round.ts";
import { stridedIndex } from "./strided.ts";

/** For GatherElements and ScatterElements: the element of `shape` that each of `indices` means. */
export function elementIndex(
  shape: readonly number[],
  indices: HostArray,
  axis: number,
): Int32Array {
  const at = axis < 0 ? axis + shape.length : axis;
  const strides = contiguousStrides(shape);
  const stride = strides[at] ?? 1;
  const size = shape[at] ?? 1;
  const index = stridedIndex(indices.shape, strides.with(at, 0));
  for (let i = 0; i < index.length; i++) {
    const chosen = indices.data[i] as number;
    index[i] = (index[i] as number) + (chosen < 0 ? chosen + size : chosen) * stride;
  }
  return index;
}

/** For GatherND and ScatterND: where each block of `length` elements begins. */
export function blockStarts(
  shape: readonly number[],
  indices: HostArray,
  batchDims: number,
): { readonly starts: Int32Array; readonly length: number } {
  const depth = indices.shape.at(-1) ?? 1;
  const strides = contiguousStrides(shape);
  const starts = new Int32Array(numel(indices.shape.slice(0, -1)));
  const perBatch = starts.length / numel(shape.slice(0, batchDims));
  const batchStride = numel(shape.slice(batchDims));
  for (let k = 0; k < starts.length; k++) {
    let start = Math.floor(k / perBatch) * batchStride;
    for (let j = 0; j < depth; j++) {
      const chosen = indices.data[k * depth + j] as number;
      const size = shape[batchDims + j] as number;
      start += (chosen < 0 ? chosen + size : chosen) * (strides[batchDims + j] as number);
    }
    starts[k] = start;
  }
  return { starts, length: numel(shape.slice(batchDims + depth)) };
}

const combine: Readonly<Record<string, (old: number, update: number) => number>> = {
  none: (_old, update) => update,
  add: (old, update) => old + update,
  mul: (old, update) => old * update,
  max: Math.max,
  min: Math.min,
};

/** A copy of `data` with the updates in it, one after another. */
export function scatter(
  data: HostArray,
  index: Int32Array,
  updates: HostArray,
  reduction: string,
): HostArray {
  const result = data.data.slice();
  const f = combine[reduction] ?? ((_old: number, update: number) => update);
  for (let i = 0; i < index.length; i++) {
    const at = index[i] as number;
    result[at] = f(result[at] as number, updates.data[i] as number);
  }
  roundTo(data.dtype, result);
  return { dtype: data.dtype, shape: data.shape, data: result };
}
