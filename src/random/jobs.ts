/**
 * Fills that are decided now and computed later, or never: a weight that is initialised twice costs
 * only the step of the generator over the first draws.
 */
import { torchError } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import { allocate } from "../graph/tensor.ts";
import type { FillKind, FillParams } from "./distributions.ts";
import { distributions } from "./distributions.ts";
import type { Generator, GeneratorState } from "./engine.ts";
import { generatorFrom } from "./engine.ts";
import { editAll, type FillEdit } from "./fillEdits.ts";

/** Plain data: it can be sent to a worker. */
export interface FillJob<K extends FillKind = FillKind> {
  readonly kind: K;
  readonly params: FillParams[K];
  readonly count: number;
  /** The generator before the first draw. */
  readonly state: GeneratorState;
  /** What became of the drawn numbers, in order; absent: nothing. */
  readonly edits?: readonly FillEdit[];
}

function check<K extends FillKind>(kind: K, params: FillParams[K]): void {
  const problem = distributions[kind].problem(params);
  if (problem !== null) throw torchError("RuntimeError", problem);
}

/** Fills `out` now. Throws PyTorch's error for parameters that it refuses. */
export function fill<K extends FillKind>(
  gen: Generator,
  kind: K,
  out: Numbers,
  params: FillParams[K],
): void {
  check(kind, params);
  distributions[kind].fill(gen, out, params);
}

/**
 * Records a fill of `count` numbers, and moves the generator to where the fill leaves it. Where
 * the numbers must be known for that, they are computed here and forgotten. Throws as `fill` does.
 */
export function plan<K extends FillKind>(
  gen: Generator,
  kind: K,
  count: number,
  params: FillParams[K],
): FillJob<K> {
  check(kind, params);
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
  editAll(out, job.edits ?? []);
}

/** The same numbers, edited once more. */
export const edited = (job: FillJob, edit: FillEdit): FillJob => ({
  ...job,
  edits: [...(job.edits ?? []), edit],
});

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
