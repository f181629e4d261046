/** Statistics of a value's slices across each of its axes: by position, by feature, by head. */
import type { Numbers } from "../graph/tensor.ts";
import type { AxisBreakdown, AxisName } from "../protocol/report.ts";
import { toNum } from "./moments.ts";

/** More slices are more than a chart can show: neighbours are taken together. */
const mostSlices = 1024;

export function breakDown(
  data: Numbers,
  shape: readonly number[],
  names: readonly (AxisName | null)[],
): AxisBreakdown[] {
  return shape.flatMap((size, axis) => {
    if (size < 2 || data.length === 0) return [];
    const inner = shape.slice(axis + 1).reduce((product, it) => product * it, 1);
    return [{ axis, name: names[axis] ?? null, size, ...slicesOf(data, size, inner) }];
  });
}

/** `inner`: how many elements lie between neighbours of the axis. Two passes, as for whole values. */
function slicesOf(data: Numbers, size: number, inner: number) {
  const step = Math.ceil(size / mostSlices);
  const slices = Math.ceil(size / step);
  const counts = new Float64Array(slices);
  const sums = new Float64Array(slices);
  const largest = new Float64Array(slices).fill(Number.NaN);
  const deviations = new Float64Array(slices);
  const each = (visit: (slice: number, x: number) => void): void => {
    let at = 0;
    while (at < data.length)
      for (let place = 0; place < size; place++) {
        const slice = Math.floor(place / step);
        for (const end = at + inner; at < end; at++) {
          const x = data[at] as number;
          if (x - x === 0) visit(slice, x);
        }
      }
  };
  each((slice, x) => {
    counts[slice] = (counts[slice] as number) + 1;
    sums[slice] = (sums[slice] as number) + x;
    const known = largest[slice] as number;
    // A slice starts without a number, and what is compared with NaN is not larger.
    if (!(Math.abs(x) <= known)) largest[slice] = Math.abs(x);
  });
  const means = sums.map((sum, slice) => sum / (counts[slice] as number));
  each((slice, x) => {
    const deviation = x - (means[slice] as number);
    deviations[slice] = (deviations[slice] as number) + deviation * deviation;
  });
  const variances = deviations.map((sum, slice) => sum / (counts[slice] as number));
  return {
    step,
    rms: [...variances].map((variance, slice) =>
      toNum(Math.sqrt(variance + (means[slice] as number) ** 2)),
    ),
    mean: [...means].map(toNum),
    std: [...variances].map((variance) => toNum(Math.sqrt(variance))),
    absMax: [...largest].map(toNum),
  };
}
