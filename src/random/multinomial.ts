/** `torch.multinomial`. */
import { torchError } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import { allocate } from "../graph/tensor.ts";
import { exponential } from "./continuous.ts";
import type { Generator } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { fillFromUnitDoubles, rounder } from "./fill.ts";

export interface Multinomial {
  /** Row-major [rows, categories]; the rows need not sum to one. */
  readonly weights: Numbers;
  readonly dtype: FloatType;
  readonly rows: number;
  readonly samples: number;
  readonly replacement: boolean;
}

function check(row: Numbers): void {
  if (!row.every((weight) => weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
    const message = "probability tensor contains either `inf`, `nan` or element < 0";
    throw torchError("RuntimeError", message);
  }
  if (row.every((weight) => weight === 0)) {
    const message = "invalid multinomial distribution (sum of probabilities <= 0)";
    throw torchError("RuntimeError", message);
  }
}

/** The running sums of a row, divided by the last: float32 arithmetic, float64 for float64. */
function cumulative(row: Numbers, dtype: FloatType): Numbers {
  const sums = dtype === "float64" ? new Float64Array(row.length) : new Float32Array(row.length);
  let last = 0;
  row.forEach((weight, category) => {
    sums[category] = last + weight;
    last = sums[category] as number;
  });
  for (let category = 0; category < sums.length; category++)
    sums[category] = (sums[category] as number) / last;
  sums[sums.length - 1] = 1;
  return sums;
}

/** The first place whose number is not less than `u`. */
function search(sums: Numbers, u: number): number {
  let left = 0;
  let right = sums.length;
  while (left < right) {
    const middle = left + Math.floor((right - left) / 2);
    if ((sums[middle] as number) < u) left = middle + 1;
    else right = middle;
  }
  return left;
}

/** The places of the `count` largest numbers, largest first. */
function largest(numbers: Numbers, count: number): number[] {
  const places = Array.from(numbers, (_, place) => place);
  places.sort((a, b) => (numbers[b] as number) - (numbers[a] as number));
  return places.slice(0, count);
}

/** The index of the largest number, found without sorting. */
function argmax(numbers: Numbers): number {
  let best = 0;
  for (let i = 1; i < numbers.length; i++)
    if ((numbers[i] as number) > (numbers[best] as number)) best = i;
  return best;
}

/**
 * Categories, row-major [rows, samples]. One sample, or several without replacement: the largest
 * of weight / q with q exponential (the Gumbel trick). Several with replacement: the inverse of
 * the cumulative distribution at uniform float64 numbers.
 */
export function multinomial(gen: Generator, options: Multinomial): Float64Array {
  const { weights, dtype, rows, samples, replacement } = options;
  const categories = weights.length / rows;
  const rowOf = (numbers: Numbers, row: number, width: number): Numbers =>
    numbers.subarray(row * width, (row + 1) * width);
  for (let row = 0; row < rows; row++) check(rowOf(weights, row, categories));
  const out = new Float64Array(rows * samples);
  if (replacement && samples > 1) {
    for (let row = 0; row < rows; row++) {
      const sums = cumulative(rowOf(weights, row, categories), dtype);
      fillFromUnitDoubles(gen, rowOf(out, row, samples), (u) => search(sums, u));
    }
    return out;
  }
  const round = rounder(dtype);
  const keys = allocate(dtype, weights.length);
  exponential(gen, keys, 1, dtype);
  for (let i = 0; i < keys.length; i++)
    keys[i] = round((weights[i] as number) / (keys[i] as number));
  for (let row = 0; row < rows; row++) {
    const rowKeys = rowOf(keys, row, categories);
    const chosen = samples === 1 ? [argmax(rowKeys)] : largest(rowKeys, samples);
    out.set(chosen, row * samples);
  }
  return out;
}
