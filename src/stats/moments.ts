/** What is known of one tensor's elements, and the report's statistics from it. */
import type { Numbers } from "../graph/tensor.ts";
import type { Num, Stats } from "../protocol/report.ts";

/** `min` … `squares` are over the finite elements, in float64. */
export interface Moments {
  /** Elements of every kind. */
  readonly count: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  /** Elements that are exactly 0 or −0. */
  readonly zeros: number;
  /** Infinity where no element is finite. */
  readonly min: number;
  /** -Infinity where no element is finite. */
  readonly max: number;
  readonly mean: number;
  /** Σ (x − mean)². */
  readonly deviations: number;
}

/**
 * An empty tensor has NaN for a mean, deviation, root mean square and range, as in PyTorch, and
 * `l2` 0; one without a finite element has NaN for all of them.
 */
export function toStats(moments: Moments): Stats {
  const { count, nan, posInf, negInf, min, max, mean, deviations } = moments;
  const finite = count - nan - posInf - negInf;
  const squares = deviations + finite * mean * mean;
  const known = (x: number): Num => toNum(finite > 0 ? x : Number.NaN);
  return {
    count,
    mean: known(mean),
    std: known(Math.sqrt(deviations / finite)),
    rms: known(Math.sqrt(squares / finite)),
    min: known(min),
    max: known(max),
    absMax: known(Math.max(Math.abs(min), Math.abs(max))),
    l2: count === 0 ? 0 : known(Math.sqrt(squares)),
    zeroFraction: count === 0 ? 0 : moments.zeros / count,
    nan,
    posInf,
    negInf,
  };
}

export function toNum(x: number): Num {
  if (Number.isFinite(x)) return x;
  if (Number.isNaN(x)) return "NaN";
  return x > 0 ? "Infinity" : "-Infinity";
}

export const fromNum = (x: Num): number => Number(x);

/** Of numbers that are known; `complex`: pairs, measured as magnitudes. */
export const hostStats = (data: Numbers, complex = false): Stats =>
  toStats(hostMoments(complex ? magnitudes(data) : data));

/** Of the elements `from` to `to`; two passes, so that a large mean costs no accuracy. */
export function hostMoments(data: Numbers, from = 0, to = data.length): Moments {
  let nan = 0;
  let posInf = 0;
  let negInf = 0;
  let zeros = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let i = from; i < to; i++) {
    const x = data[i] as number;
    if (x - x !== 0) {
      if (x > 0) posInf++;
      else if (x < 0) negInf++;
      else nan++;
      continue;
    }
    if (x === 0) zeros++;
    if (x < min) min = x;
    if (x > max) max = x;
    sum += x;
  }
  const count = to - from;
  const finite = count - nan - posInf - negInf;
  const mean = finite === 0 ? 0 : sum / finite;
  let deviations = 0;
  for (let i = from; i < to; i++) {
    const deviation = (data[i] as number) - mean;
    if (deviation - deviation === 0) deviations += deviation * deviation;
  }
  return { count, nan, posInf, negInf, zeros, min, max, mean, deviations };
}

/** |z| of pairs on the last axis. */
export function magnitudes(data: Numbers): Float64Array {
  const result = new Float64Array(data.length / 2);
  for (let i = 0; i < result.length; i++)
    result[i] = Math.hypot(data[2 * i] as number, data[2 * i + 1] as number);
  return result;
}

/** The statistics of the same elements repeated. */
export function repeated(moments: Moments, times: number): Moments {
  const { count, nan, posInf, negInf, zeros, deviations } = moments;
  return {
    ...moments,
    count: count * times,
    nan: nan * times,
    posInf: posInf * times,
    negInf: negInf * times,
    zeros: zeros * times,
    deviations: deviations * times,
  };
}
