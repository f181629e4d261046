/** Histogram, percentiles, what narrower formats would lose and slices, of values that are asked for. */
import type { Graph, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { AxisName, Detail, FormatLoss, Histogram, NarrowFormat } from "../protocol/report.ts";
import { breakDown } from "./breakDown.ts";
import { toNum } from "./moments.ts";

/** What must be run to have the elements of `values`, which are its outputs. */
export const detailGraph = (graph: Graph, values: readonly Value[]): Graph =>
  prune({ ...graph, outputs: values });

/** `shape`: of `data`; `names`: what its axes are. */
export function detailOf(
  data: Numbers,
  shape: readonly number[],
  names: readonly (AxisName | null)[] = [],
): Detail {
  const finite = finiteOf(data);
  const sorted = finite.slice().sort();
  const percentile = (share: number) => toNum(quantile(sorted, share));
  return {
    histogram: histogramOf(finite),
    percentiles: { p1: percentile(0.01), p50: percentile(0.5), p99: percentile(0.99) },
    losses: {
      float16: lossOf(finite, data.length, "float16"),
      bfloat16: lossOf(finite, data.length, "bfloat16"),
      float8_e4m3fn: lossOf(finite, data.length, "float8_e4m3fn"),
      float8_e5m2: lossOf(finite, data.length, "float8_e5m2"),
    },
    axes: breakDown(data, shape, names),
  };
}

function finiteOf(data: Numbers): Float64Array {
  const finite = new Float64Array(data.length);
  let count = 0;
  for (const x of data) if (Number.isFinite(x)) finite[count++] = x;
  return finite.subarray(0, count);
}

function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

const lowest = -1074;
const bins = 1024 - lowest;

function histogramOf(finite: Float64Array): Histogram {
  const negative = new Float64Array(bins);
  const positive = new Float64Array(bins);
  let zeros = 0;
  let first = bins;
  let last = -1;
  for (const x of finite) {
    if (x === 0) zeros++;
    else {
      const bin = exponentOf(Math.abs(x)) - lowest;
      const side = x < 0 ? negative : positive;
      side[bin] = (side[bin] ?? 0) + 1;
      if (bin < first) first = bin;
      if (bin > last) last = bin;
    }
  }
  if (last < 0) return { least: 0, negative: [], positive: [], zeros };
  const cut = (side: Float64Array) => [...side.subarray(first, last + 1)];
  return { least: first + lowest, negative: cut(negative), positive: cut(positive), zeros };
}

/** ⌊log₂ x⌋; the logarithm alone is off by one just below powers of two. */
function exponentOf(x: number): number {
  const near = Math.floor(Math.log2(x));
  if (2 ** near > x) return near - 1;
  return 2 ** (near + 1) <= x ? near + 1 : near;
}

/**
 * Rounding to nearest, ties to even: what is at most half the smallest number becomes 0; what is at
 * or above half a step beyond the largest overflows, but for E4M3, whose largest number is even.
 */
const formats: Readonly<
  Record<NarrowFormat, { readonly zeroTo: number; readonly isTooLarge: (x: number) => boolean }>
> = {
  float16: { zeroTo: 2 ** -25, isTooLarge: (x) => x >= 65520 },
  bfloat16: { zeroTo: 2 ** -134, isTooLarge: (x) => x >= (2 - 2 ** -8) * 2 ** 127 },
  float8_e4m3fn: { zeroTo: 2 ** -10, isTooLarge: (x) => x > 464 },
  float8_e5m2: { zeroTo: 2 ** -17, isTooLarge: (x) => x >= 61440 },
};

function lossOf(finite: Float64Array, count: number, name: NarrowFormat): FormatLoss {
  const { zeroTo, isTooLarge } = formats[name];
  let flushed = 0;
  let overflowed = 0;
  for (const x of finite) {
    const size = Math.abs(x);
    if (size > 0 && size <= zeroTo) flushed++;
    else if (isTooLarge(size)) overflowed++;
  }
  return { flushed: flushed / Math.max(count, 1), overflowed: overflowed / Math.max(count, 1) };
}
