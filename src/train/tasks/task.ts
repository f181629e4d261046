/** What a task is: batches of tokens with the targets of every position. */
import { createGenerator, type Generator } from "../../random/generator.ts";

/** [batch, seq] each; a target of -100 is left out of the loss, as PyTorch's cross-entropy does. */
export interface Batch {
  readonly tokens: Float64Array;
  readonly targets: Float64Array;
}

export interface Task {
  /** Symbols that may occur. */
  readonly vocabulary: number;
  /** Mean losses in nats of one who knows how often symbols occur, and of one who knows the source. */
  readonly reference: { readonly unigram: number | null; readonly floor: number | null };
  /** The same for the same index: a run that goes on needs no memory of it. */
  batch(index: number): Batch;
}

export interface TaskSize {
  readonly batch: number;
  readonly seq: number;
  /** Symbols of the model. */
  readonly vocabulary: number;
}

export const ignored = -100;

/** A batch of rows of seq + 1 symbols: each position's target is the next one, where `has` it. */
export function nextSymbol(
  { batch, seq }: TaskSize,
  row: (at: number) => ArrayLike<number>,
  has: (symbols: ArrayLike<number>, position: number) => boolean = () => true,
): Batch {
  const tokens = new Float64Array(batch * seq);
  const targets = new Float64Array(batch * seq);
  for (let at = 0; at < batch; at++) {
    const symbols = row(at);
    for (let position = 0; position < seq; position++) {
      tokens[at * seq + position] = symbols[position] ?? 0;
      const target = symbols[position + 1] ?? 0;
      targets[at * seq + position] = has(symbols, position) ? target : ignored;
    }
  }
  return { tokens, targets };
}

/** More batches than any run has, so that no two seeds share one. */
const batchesOfSeed = 2 ** 24;

export const generatorOf = (seed: number, index: number): Generator =>
  createGenerator(seed * batchesOfSeed + index);

/** A whole number in [0, below). */
export const draw = (gen: Generator, below: number): number => gen.random32() % below;

/** In [0, 1), 53 bits. */
export const uniform01 = (gen: Generator): number =>
  ((gen.random32() & 0x1fffff) * 2 ** 32 + gen.random32()) * 2 ** -53;

/** Nats. */
export const entropy = (probabilities: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < probabilities.length; at++) {
    const p = probabilities[at] ?? 0;
    if (p > 0) sum -= p * Math.log(p);
  }
  return sum;
};
