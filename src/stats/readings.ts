/** Where in a run's outputs the numbers of one measured value lie, and its moments from them. */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { type HostArray, type Numbers, numel } from "../graph/tensor.ts";
import { hostMoments, type Moments, magnitudes } from "./moments.ts";
import type { Sums } from "./reduce.ts";
import { anywhere, rows as lines, nowhere, type Zeros } from "./zeroPatterns.ts";

/** One measurement: a value's numbers, or the magnitudes of its pairs. */
export const keyOf = (value: Value, complex: boolean): string =>
  complex ? `|${value.id}|` : `${value.id}`;

/** What a run gave, by value id. */
export type Results = ReadonlyMap<number, HostArray>;

/** The elements (or rows) from `from` to `to` of an output; null: all of it. */
export type Span = { readonly from: number; readonly to: number } | null;

export type Reading =
  | {
      readonly kind: "whole";
      readonly value: Value;
      /** Pairs on the last axis, read as magnitudes. */
      readonly complex: boolean;
      readonly output: Value;
      readonly span: Span;
    }
  | {
      readonly kind: "sums";
      readonly value: Value;
      readonly complex: boolean;
      /** Elements. */
      readonly count: number;
      /** What elements were divided by before they were summed. */
      readonly scale: number;
      /** Of the sums, relative to the sum of squares. */
      readonly error: number;
      readonly sums: Sums;
      /** Elements of a line along the last axis where `min` and `max` are of lines; else null. */
      readonly line: number | null;
      readonly span: Span;
    };

export interface FirstRead {
  readonly moments: Moments;
  readonly nonFinite: boolean;
  readonly inexact: boolean;
  /** The zeros that `moments.zeros` counts; others may be there. */
  readonly zeros: Zeros;
}

export function numbersOf(results: Results, output: Value): Numbers {
  const array = results.get(output.id);
  invariant(array, `statistics output ${output.id} was not computed`);
  return array.data;
}

export function readFirst(reading: Reading, results: Results): FirstRead {
  if (reading.kind === "sums") return readSums(reading, results);
  const data = numbersOf(results, reading.output);
  const { from, to } = reading.span ?? { from: 0, to: data.length };
  const moments = reading.complex
    ? hostMoments(magnitudes(data.subarray(from, to)))
    : hostMoments(data, from, to);
  return { moments, nonFinite: false, inexact: false, zeros: anywhere };
}

function readSums(reading: Reading & { kind: "sums" }, results: Results): FirstRead {
  const { sums, span, count, error, line, scale } = reading;
  const part = (output: Value): Numbers => {
    const data = numbersOf(results, output);
    return span === null ? data : data.subarray(span.from, span.to);
  };
  const sum = scale * total(part(sums.sum));
  const squares = scale ** 2 * total(part(sums.squares));
  const min = least(part(sums.min));
  const max = greatest(part(sums.max));
  const negInf = sums.negInf === null ? 0 : total(part(sums.negInf));
  const finite = count - negInf;
  const same = min === max;
  const zeros = countZeros();
  const mean = same ? min : finite === 0 ? 0 : sum / finite;
  const deviations = same ? 0 : Math.max(squares - finite * mean * mean, 0);
  const nonFinite = finite > 0 && ![sum, squares, min, max].every(Number.isFinite);
  // Half of 1.5e-4 of the variance is what a deviation may be off by.
  const inexact = !(nonFinite || same || finite === 0);
  const lost = error * squares + drownedIn(part(sums.squares));
  return {
    moments: { count, nan: 0, posInf: 0, negInf, zeros, min, max, mean, deviations },
    nonFinite,
    inexact: inexact && (lost > 1.5e-4 * deviations || underflows(min, max, scale)),
    zeros:
      sums.nonzeros !== null || same || min > 0 || max < 0
        ? anywhere
        : line === null
          ? nowhere
          : lines,
  };

  /** What small lines lose beside large ones of the same float32 sum: four lanes add it, of 24 bits each. */
  function drownedIn(rows: Numbers): number {
    if (line === null || rows.length > 1) return 0;
    const lost = smallSquares(part(sums.min), part(sums.max), squares * 2 ** -26);
    return line * largestToMean * lost;
  }

  function countZeros(): number {
    if (sums.nonzeros !== null) return count - total(part(sums.nonzeros));
    if (same) return min === 0 ? finite : 0;
    return line === null ? 0 : line * zeroLines(part(sums.min), part(sums.max));
  }
}

/** Squares below 2⁻¹²⁶ lose bits. */
function underflows(min: number, max: number, scale: number): boolean {
  const largest = Math.max(Math.abs(min), Math.abs(max)) / scale;
  return largest > 0 && largest < 2 ** -52;
}

/** In float64. */
export function total(numbers: Numbers): number {
  let sum = 0;
  for (const x of numbers) sum += x;
  return sum;
}

/** A line's mean square, by the square of its extreme: near an eighth where it is normal. */
const largestToMean = 1 / 4;

/** Of lines whose extremes have squares below the limit, the larger square each, summed. */
function smallSquares(mins: Numbers, maxs: Numbers, limit: number): number {
  let sum = 0;
  for (let i = 0; i < mins.length; i++) {
    const square = Math.max(Math.abs(Number(mins[i])), Math.abs(Number(maxs[i]))) ** 2;
    if (square < limit) sum += square;
  }
  return sum;
}

function zeroLines(mins: Numbers, maxs: Numbers): number {
  let lines = 0;
  for (let i = 0; i < mins.length; i++) if (mins[i] === 0 && maxs[i] === 0) lines++;
  return lines;
}

function least(numbers: Numbers): number {
  let min = Number.POSITIVE_INFINITY;
  for (const x of numbers) if (x < min) min = x;
  return min;
}

function greatest(numbers: Numbers): number {
  let max = Number.NEGATIVE_INFINITY;
  for (const x of numbers) if (x > max) max = x;
  return max;
}

export const isEmpty = (value: Value): boolean => numel(value.shape) === 0;
