/** How distributions take their random words in bulk and store numbers of each element type. */
import type { DType, Numbers } from "../graph/tensor.ts";
import { roundBfloat16, roundFloat16 } from "../ops/kernels/round.ts";
import type { Generator } from "./engine.ts";
import { chunkWords } from "./wasm/layout.ts";

export type FloatType = "float64" | "float32" | "float16" | "bfloat16";

/** Rounds to the nearest value of the type; for half types by way of float32, as PyTorch does. */
export function rounder(dtype: DType): (x: number) => number {
  if (dtype === "float32") return Math.fround;
  if (dtype === "float16") return (x) => roundFloat16(Math.fround(x));
  if (dtype === "bfloat16") return roundBfloat16;
  return (x) => x;
}

/** out[i] = value(word i) */
export function fillFromWords(
  gen: Generator,
  out: Numbers,
  value: (word: number, index: number) => number,
): void {
  for (let start = 0; start < out.length; start += chunkWords) {
    const words = gen.draw(Math.min(chunkWords, out.length - start));
    words.forEach((word, i) => {
      out[start + i] = value(word, start + i);
    });
  }
}

const pairsAtOnce = chunkWords / 2;

/** out[i] = value(high, low) of two successive words. */
export function fillFromPairs(
  gen: Generator,
  out: Numbers,
  value: (high: number, low: number, index: number) => number,
): void {
  for (let start = 0; start < out.length; start += pairsAtOnce) {
    const count = Math.min(pairsAtOnce, out.length - start);
    const words = gen.draw(2 * count);
    for (let i = 0; i < count; i++) {
      const [high, low] = [words[2 * i] as number, words[2 * i + 1] as number];
      out[start + i] = value(high, low, start + i);
    }
  }
}

/** The lower 53 bits of a 64-bit draw as a number in [0, 1). */
export const unitDouble = (high: number, low: number): number =>
  ((high & 0x1fffff) * 2 ** 32 + low) * 2 ** -53;

/** out[i] = value(uᵢ), uᵢ uniform float64 in [0, 1). */
export const fillFromUnitDoubles = (
  gen: Generator,
  out: Numbers,
  value: (u: number, index: number) => number,
): void => fillFromPairs(gen, out, (high, low, index) => value(unitDouble(high, low), index));
