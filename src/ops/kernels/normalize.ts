/** Normalisation of rows of host arrays, in float64; squares overflow where those of their type do. */
import {
  allocate,
  type DType,
  type HostArray,
  numel,
  type TensorType,
} from "../../graph/tensor.ts";
import { accumulated, roundTo } from "./round.ts";

export interface NormalizeOptions {
  readonly epsilon: number;
  /** Whether the mean is taken off first. */
  readonly center: boolean;
  /** Whether moments of lanes are merged, as in PyTorch's norms of layers and groups. */
  readonly merges: boolean;
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
  { epsilon, center, merges }: NormalizeOptions,
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
    const squares = line.reduce((sum, x) => sum + (x - mean) ** 2, 0);
    const isLost = merges && overflowsInSteps(line, mean, X.dtype);
    const variance = isLost ? Number.NaN : accumulated(X.dtype, squares) / size;
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

const lanes = 8;

/**
 * PyTorch merges the moments of lanes of 8 numbers into those of what is left of the row: a 0 times
 * the square of a lane's mean, and no number where that overflows, if nothing or no lane comes first.
 */
function overflowsInSteps(line: Float64Array, mean: number, dtype: DType): boolean {
  if (line.length > lanes && line.length % lanes !== 0) return false;
  const first = line.filter((_, k) => k % lanes === 0);
  const merged = line.length < lanes ? mean : first.reduce((sum, x) => sum + x, 0) / first.length;
  return accumulated(dtype, merged ** 2) === Number.POSITIVE_INFINITY;
}

/** Rows of one group of channels each; scale and shift are per channel. */
export function normalizeGroups(
  X: HostArray,
  groups: number,
  scale: HostArray,
  shift: HostArray,
  options: Omit<NormalizeOptions, "center">,
): HostArray {
  const n = X.shape[0] as number;
  const size = X.data.length / (n * groups);
  const area = numel(X.shape.slice(2));
  const ones = { dtype: X.dtype, shape: [1], data: allocate(X.dtype, 1).fill(1) };
  const rows = { dtype: X.dtype, shape: [n, groups, size], data: X.data };
  const wide = { dtype: "float64", shape: rows.shape } as const;
  const [normal] = normalizeRows(rows, 2, ones, null, [wide], { ...options, center: true });
  const data = allocate(X.dtype, X.data.length);
  normal?.data.forEach((x, i) => {
    const channel = Math.floor(i / area) % scale.data.length;
    data[i] = x * (scale.data[channel] as number) + (shift.data[channel] as number);
  });
  roundTo(X.dtype, data);
  return { dtype: X.dtype, shape: X.shape, data };
}
