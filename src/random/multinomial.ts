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

function fail(message: string): never {
  throw torchError("RuntimeError", message);
}

function checkWeights(row: Numbers, inverts: boolean): void {
  const isNegative = row.some((weight) => weight < 0 || Number.isNaN(weight));
  const isInfinite = row.includes(Number.POSITIVE_INFINITY);
  const invalid = "invalid multinomial distribution";
  if (isNegative || isInfinite) {
    if (!inverts) fail("probability tensor contains either `inf`, `nan` or element < 0");
    const entry = isNegative ? "entry < 0" : "entry = infinity or NaN";
    fail(`${invalid} (encountering probability ${entry})`);
  }
  if (row.every((weight) => weight === 0)) fail(`${invalid} (sum of probabilities <= 0)`);
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
  if (count === 1) return [argmax(numbers)];
  const places = Array.from(numbers, (_, place) => place);
  places.sort((a, b) => (numbers[b] as number) - (numbers[a] as number));
  return places.slice(0, count);
}

function argmax(numbers: Numbers): number {
  let best = 0;
  for (let i = 1; i < numbers.length; i++)
    if ((numbers[i] as number) > (numbers[best] as number)) best = i;
  return best;
}

/** Several samples with replacement: the cumulative distribution at uniform float64 numbers. */
function invert(gen: Generator, row: Numbers, out: Numbers, dtype: FloatType): void {
  const sums = cumulative(row, dtype);
  fillFromUnitDoubles(gen, out, (u) => search(sums, u));
}

/** weight / q with q exponential, whose largest are the samples (the Gumbel trick). */
function sampleKeys(gen: Generator, weights: Numbers, dtype: FloatType): Numbers {
  const round = rounder(dtype);
  const keys = allocate(dtype, weights.length);
  exponential(gen, keys, 1, dtype);
  for (let i = 0; i < keys.length; i++)
    keys[i] = round((weights[i] as number) / (keys[i] as number));
  return keys;
}

/** Categories, row-major [rows, samples]. Throws PyTorch's errors. */
export function multinomial(gen: Generator, options: Multinomial): Float64Array {
  const { weights, dtype, rows, samples, replacement } = options;
  const categories = weights.length / rows;
  if (samples <= 0) fail("cannot sample n_sample <= 0 samples");
  if (!replacement && samples > categories)
    fail("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  const inverts = replacement && samples > 1;
  const rowOf = (numbers: Numbers, row: number, width: number): Numbers =>
    numbers.subarray(row * width, (row + 1) * width);
  for (let row = 0; row < rows; row++) checkWeights(rowOf(weights, row, categories), inverts);
  const out = new Float64Array(rows * samples);
  const keys = inverts ? null : sampleKeys(gen, weights, dtype);
  for (let row = 0; row < rows; row++) {
    const samplesOfRow = rowOf(out, row, samples);
    if (keys === null) invert(gen, rowOf(weights, row, categories), samplesOfRow, dtype);
    else samplesOfRow.set(largest(rowOf(keys, row, categories), samples));
  }
  return out;
}
