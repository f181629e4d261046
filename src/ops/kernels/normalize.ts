/** Normalisation of rows of host arrays, in float64. */
import { allocate, type HostArray, numel, type TensorType } from "../../graph/tensor.ts";
import { roundTo } from "./round.ts";

export interface NormalizeOptions {
  readonly epsilon: number;
  /** Whether the mean is taken off first. */
  readonly center: boolean;
}

/**
 * (x − mean) / √(mean of squares + epsilon) · scale + shift, then the means and inverse deviations.
 */
export function normalizeRows(
  X: HostArray,
  axis: number,
  scale: HostArray,
  shift: HostArray | null,
  out: readonly TensorType[],
  { epsilon, center }: NormalizeOptions,
): HostArray[] {
  const size = numel(X.shape.slice(axis));
  const rows = X.data.length / size;
  const results = out.map(({ dtype, shape }) => ({
    dtype,
    shape,
    data: allocate(dtype, numel(shape)),
  }));
  const [Y, means, inverses] = results.map(({ data }) => data);
  for (let row = 0; row < rows; row++) {
    const line = Float64Array.from(X.data.subarray(row * size, (row + 1) * size));
    const mean = center ? line.reduce((sum, x) => sum + x, 0) / size : 0;
    const variance = line.reduce((sum, x) => sum + (x - mean) ** 2, 0) / size;
    const inverse = 1 / Math.sqrt(variance + epsilon);
    line.forEach((x, k) => {
      const factor = scale.data[k % scale.data.length] as number;
      const term = shift === null ? 0 : (shift.data[k % shift.data.length] as number);
      if (Y) Y[row * size + k] = (x - mean) * inverse * factor + term;
    });
    if (means) means[row] = mean;
    if (inverses) inverses[row] = inverse;
  }
  for (const { dtype, data } of results) roundTo(dtype, data);
  return results;
}

/** Rows of one group of channels each; scale and shift are per channel. */
export function normalizeGroups(
  X: HostArray,
  groups: number,
  scale: HostArray,
  shift: HostArray,
  epsilon: number,
): HostArray {
  const n = X.shape[0] as number;
  const size = X.data.length / (n * groups);
  const area = numel(X.shape.slice(2));
  const ones = { dtype: X.dtype, shape: [1], data: allocate(X.dtype, 1).fill(1) };
  const rows = { dtype: X.dtype, shape: [n, groups, size], data: X.data };
  const wide = { dtype: "float64", shape: rows.shape } as const;
  const [normal] = normalizeRows(rows, 2, ones, null, [wide], { epsilon, center: true });
  const data = allocate(X.dtype, X.data.length);
  normal?.data.forEach((x, i) => {
    const channel = Math.floor(i / area) % scale.data.length;
    data[i] = x * (scale.data[channel] as number) + (shift.data[channel] as number);
  });
  roundTo(X.dtype, data);
  return { dtype: X.dtype, shape: X.shape, data };
}
