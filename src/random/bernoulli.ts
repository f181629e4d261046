/** `Tensor.bernoulli_`, which dropout uses too: with the probability 1 − p, in the input's type. */
import type { DType, Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import { fillFromPairs, fillFromUnitDoubles, fillFromWords } from "./fill.ts";

/** 1 with the probability `p`, else 0; two draws a number, whatever the type of `out`. */
export function bernoulli(gen: Generator, out: Numbers, p: number): void {
  const threshold = p * 2 ** 53;
  const value = (high: number, low: number): number =>
    (high & 0x1fffff) * 2 ** 32 + low < threshold ? 1 : 0;
  fillFromPairs(gen, out, value);
}

/** Each number has its own probability: float64 ones take two draws each, the others one. */
export function bernoulliTensor(
  gen: Generator,
  out: Numbers,
  probabilities: Numbers,
  probabilityType: DType,
): void {
  const p = (index: number): number => probabilities[index] as number;
  if (probabilityType === "float64")
    fillFromUnitDoubles(gen, out, (u, index) => (u < p(index) ? 1 : 0));
  else fillFromWords(gen, out, (word, index) => ((word & 0xffffff) * 2 ** -24 < p(index) ? 1 : 0));
}
