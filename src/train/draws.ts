/** What every step draws anew, dropout's masks and noise, one after another as PyTorch draws it. */
import type { Value } from "../graph/graph.ts";
import type { Numbers } from "../graph/tensor.ts";
import { createGenerator, type Generator, type GeneratorState } from "../random/generator.ts";

/** An input of the step's graph, and what its numbers are drawn by. */
export interface Draw {
  readonly value: Value;
  readonly draw: (generator: Generator) => Numbers;
}

export interface StepDraws {
  /** Those of the next batch, in the order of the list. */
  next(): Numbers[];
  /** What `drawEach` goes on from; null before the first batch, and where nothing is drawn. */
  readonly state: GeneratorState | null;
}

/**
 * The first batch has the numbers of the traced step, which left the generator at `drawnTo`; with a
 * `state`, the run goes on from there.
 */
export function drawEach(
  draws: readonly Draw[],
  drawnTo: GeneratorState,
  state: GeneratorState | null,
): StepDraws {
  const generator = createGenerator(0);
  generator.setState(state ?? drawnTo);
  // What is fed at the first step may be overwritten where it is run once more.
  let traced = state === null ? draws.map(({ value }) => value.data?.slice() ?? null) : null;
  return {
    get state() {
      return draws.length === 0 || traced !== null ? null : generator.getState();
    },
    next() {
      const first = traced;
      traced = null;
      return draws.map(({ draw }, at) => first?.[at] ?? draw(generator));
    },
  };
}
