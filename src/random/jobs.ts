/**
 * Fills that are decided now and computed later, or never: a weight that is initialised twice costs
 * only the step of the generator over the first draws.
 */
import type { DType, Numbers } from "../graph/tensor.ts";
import { allocate } from "../graph/tensor.ts";
import { bernoulli } from "./bernoulli.ts";
import { cauchy, exponential, geometric } from "./continuous.ts";
import type { Generator, GeneratorState } from "./engine.ts";
import { generatorFrom } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { randint, randintDraws, random_, randomDraws } from "./integers.ts";
import { logNormal, normal, normalDraws } from "./normal.ts";
import type { TruncNormal } from "./truncNormal.ts";
import { isUntruncated, truncNormal } from "./truncNormal.ts";
import { uniform } from "./uniform.ts";

export interface FillParams {
  uniform: { readonly from: number; readonly to: number; readonly dtype: FloatType };
  normal: { readonly mean: number; readonly std: number; readonly dtype: FloatType };
  logNormal: { readonly mean: number; readonly std: number; readonly dtype: FloatType };
  truncNormal: TruncNormal;
  bernoulli: { readonly p: number; readonly dtype: DType };
  exponential: { readonly lambda: number; readonly dtype: FloatType };
  cauchy: { readonly median: number; readonly sigma: number; readonly dtype: FloatType };
  geometric: { readonly p: number; readonly dtype: DType };
  randint: { readonly low: number; readonly high: number; readonly dtype: DType };
  random_: { readonly dtype: DType };
}

export type FillKind = keyof FillParams;

/** Plain data: it can be sent to a worker. */
export interface FillJob<K extends FillKind = FillKind> {
  readonly kind: K;
  readonly params: FillParams[K];
  readonly count: number;
  /** The generator before the first draw. */
  readonly state: GeneratorState;
}

interface Distribution<P> {
  readonly fill: (gen: Generator, out: Numbers, params: P) => void;
  /** 32-bit draws for `n` numbers; null where the numbers themselves decide. */
  readonly draws: (n: number, params: P) => number | null;
}

const two = (n: number): number => 2 * n;

export const distributions: { readonly [K in FillKind]: Distribution<FillParams[K]> } = {
  uniform: {
    fill: (gen, out, { from, to, dtype }) => uniform(gen, out, from, to, dtype),
    draws: (n, { dtype }) => (dtype === "float64" ? 2 * n : n),
  },
  normal: {
    fill: (gen, out, { mean, std, dtype }) => normal(gen, out, mean, std, dtype),
    draws: (n, { dtype }) => normalDraws(n, dtype),
  },
  logNormal: {
    fill: (gen, out, { mean, std, dtype }) => logNormal(gen, out, mean, std, dtype),
    draws: () => null,
  },
  truncNormal: {
    fill: truncNormal,
    draws: (n, params) => (isUntruncated(params) ? normalDraws(n, params.dtype) : null),
  },
  bernoulli: { fill: (gen, out, { p }) => bernoulli(gen, out, p), draws: two },
  exponential: {
    fill: (gen, out, { lambda, dtype }) => exponential(gen, out, lambda, dtype),
    draws: two,
  },
  cauchy: {
    fill: (gen, out, { median, sigma, dtype }) => cauchy(gen, out, median, sigma, dtype),
    draws: two,
  },
  geometric: { fill: (gen, out, { p, dtype }) => geometric(gen, out, p, dtype), draws: two },
  randint: {
    fill: (gen, out, { low, high, dtype }) => randint(gen, out, low, high, dtype),
    draws: (n, { low, high, dtype }) => n * randintDraws(low, high, dtype),
  },
  random_: {
    fill: (gen, out, { dtype }) => random_(gen, out, dtype),
    draws: (n, { dtype }) => n * randomDraws(dtype),
  },
};

/**
 * Records a fill of `count` numbers, and moves the generator to where the fill leaves it. Where
 * the numbers must be known for that, they are computed here and forgotten.
 */
export function plan<K extends FillKind>(
  gen: Generator,
  kind: K,
  count: number,
  params: FillParams[K],
): FillJob<K> {
  const job = { kind, count, params, state: gen.getState() };
  const draws = drawsOf(job, count);
  if (draws === null) distributions[kind].fill(gen, allocate(params.dtype, count), params);
  else gen.skip(draws);
  return job;
}

const drawsOf = <K extends FillKind>({ kind, params }: FillJob<K>, count: number): number | null =>
  distributions[kind].draws(count, params);

/** Writes the numbers of a planned fill to the whole of `out`; as often as one likes. */
export function runFillJob<K extends FillKind>(job: FillJob<K>, out: Numbers): void {
  distributions[job.kind].fill(generatorFrom(job.state), out, job.params);
}

/** A job for a part of the numbers, from the index `start` on. */
export interface Piece {
  readonly job: FillJob;
  readonly start: number;
}

/**
 * Cuts a job into pieces of `size` numbers, a multiple of 16, that can be filled in any order. The
 * last takes what is left over, so that normal numbers keep the 16 which are drawn twice together.
 */
export function splitJob(job: FillJob, size: number): Piece[] {
  const draws = drawsOf(job, size);
  const pieces = Math.floor(job.count / size);
  if (draws === null || pieces < 2) return [{ job, start: 0 }];
  const gen = generatorFrom(job.state);
  return Array.from({ length: pieces }, (_, index) => {
    const start = index * size;
    const count = index === pieces - 1 ? job.count - start : size;
    const piece = { job: { ...job, count, state: gen.getState() }, start };
    gen.skip(draws);
    return piece;
  });
}
