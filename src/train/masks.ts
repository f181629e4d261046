/** Dropout's masks of every step, drawn one after another as PyTorch draws them. */
import type { Value } from "../graph/graph.ts";
import { allocate, type Numbers, numel } from "../graph/tensor.ts";
import {
  bernoulli,
  createGenerator,
  type GeneratorState,
  toRowMajor,
} from "../random/generator.ts";

export interface Mask {
  readonly value: Value;
  readonly p: number;
  readonly state: GeneratorState;
  readonly order: readonly number[] | null;
}

export interface MaskDraws {
  /** Those of the next step, in the order of `masks`. */
  next(): Numbers[];
  /** null: there are no masks. */
  readonly state: GeneratorState | null;
}

/** Goes on from `state`, else from where the traced step began to draw. */
export function drawMasks(masks: readonly Mask[], state: GeneratorState | null): MaskDraws {
  const gen = createGenerator(0);
  const [first] = masks;
  if (first) gen.setState(state ?? first.state);
  return {
    get state() {
      return first ? gen.getState() : null;
    },
    next: () =>
      masks.map(({ value, p, order }) => {
        const numbers = allocate(value.dtype, numel(value.shape));
        if (p >= 1) return numbers;
        bernoulli(gen, numbers, 1 - p);
        for (let at = 0; at < numbers.length; at++) numbers[at] = (numbers[at] as number) / (1 - p);
        return toRowMajor(numbers, value.dtype, value.shape, order);
      }),
  };
}
