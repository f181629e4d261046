/** `torch.randint`, `Tensor.random_` and `torch.randperm`. */
import { torchError } from "../errors.ts";
import type { DType, Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import { fillFromPairs, fillFromWords, rounder } from "./fill.ts";
import { chunkWords } from "./wasm/layout.ts";

/** Binary digits of the significand. */
const digits: Readonly<Partial<Record<DType, number>>> = {
  float64: 53,
  float32: 24,
  float16: 11,
  bfloat16: 8,
};

/** Largest numbers of the integer types, plus one. */
const sizes: Readonly<Partial<Record<DType, bigint>>> = {
  int64: 2n ** 63n,
  int32: 2n ** 31n,
  int16: 2n ** 15n,
  int8: 2n ** 7n,
  uint8: 2n ** 8n,
  bool: 2n,
};

/** How many integers `random_` chooses from. */
const sizeOf = (dtype: DType): bigint => sizes[dtype] ?? 2n ** BigInt(digits[dtype] ?? 0) + 1n;

/** From this range on, two draws make a number: the remainder of one would favour small ones. */
const wideRange = 2 ** 28;

/** How far apart the numbers of a type lie next to `x`. */
const spacing = (x: number, precision: number): number =>
  2 ** (Math.floor(Math.log2(Math.abs(x))) - precision + 1);

/** The bounds that rounding to a floating-point type cannot cross, as PyTorch moves them. */
function representableBounds(low: number, high: number, dtype: DType): [number, number] {
  const precision = digits[dtype];
  if (precision === undefined) return [low, high];
  const round = rounder(dtype);
  const aboveLow = round(low + 1);
  const belowHigh = round(high - 1);
  return [
    aboveLow < low ? aboveLow + spacing(low + 1, precision) : low,
    belowHigh >= high ? belowHigh - spacing(high - 1, precision) : high,
  ];
}

const remainder64 = (high: number, low: number, modulus: bigint): number =>
  Number(((BigInt(high) << 32n) | BigInt(low)) % modulus);

/** How numbers of a type are stored: booleans as "not zero". */
const storer = (dtype: DType): ((x: number) => number) =>
  dtype === "bool" ? (x) => (x === 0 ? 0 : 1) : rounder(dtype);

/** How PyTorch's messages call the types that have bounds. */
const boundedTypes: Readonly<Partial<Record<DType, readonly [low: number, high: number, string]>>> =
  {
    int32: [-(2 ** 31), 2 ** 31 - 1, "int"],
    int16: [-(2 ** 15), 2 ** 15 - 1, "short int"],
    int8: [-(2 ** 7), 2 ** 7 - 1, "signed char"],
    uint8: [0, 2 ** 8 - 1, "unsigned char"],
    bool: [0, 1, "bool"],
    float16: [-65504, 65504, "c10::Half"],
  };

/** What PyTorch's RuntimeError says of bounds that no number of the type lies between. */
export function randintProblem(low: number, high: number, dtype: DType): string | null {
  const order = (from: number, to: number, cast: string): string | null =>
    from < to
      ? null
      : `random_ expects 'from'${cast} to be less than 'to'${cast}, ` +
        `but got from=${from} >= to=${to}`;
  const [from, to] = representableBounds(low, high, dtype);
  const [least, greatest, name] = boundedTypes[dtype] ?? [-Infinity, Infinity, dtype];
  const isOutside = (bound: number): boolean => bound < least || bound > greatest;
  const bounds = (): string | null => {
    if (isOutside(from)) return `from is out of bounds for ${name}`;
    return isOutside(to - 1) ? `to - 1 is out of bounds for ${name}` : null;
  };
  return order(low, high, "") ?? order(from, to, " casted to dtype") ?? bounds();
}

/** Integers in [low, high): low + (draw mod (high − low)). */
export function randint(
  gen: Generator,
  out: Numbers,
  low: number,
  high: number,
  dtype: DType,
): void {
  const [from, to] = representableBounds(low, high, dtype);
  const range = to - from;
  const store = storer(dtype);
  if (range < wideRange) fillFromWords(gen, out, (word) => store((word % range) + from));
  else {
    const modulus = BigInt(range);
    fillFromPairs(gen, out, (upper, lower) => store(remainder64(upper, lower, modulus) + from));
  }
}

/** Draws of 32 bits that `randint` takes for each number. */
export function randintDraws(low: number, high: number, dtype: DType): number {
  const [from, to] = representableBounds(low, high, dtype);
  return to - from < wideRange ? 1 : 2;
}

/** Draws of 32 bits that `random_` takes for each number. */
export const randomDraws = (dtype: DType): number =>
  dtype === "int64" || dtype === "float64" ? 2 : 1;

/** `Tensor.random_()`: the non-negative integers of the type; of a float, up to 2^digits. */
export function random_(gen: Generator, out: Numbers, dtype: DType): void {
  const size = sizeOf(dtype);
  if (randomDraws(dtype) === 2) {
    fillFromPairs(gen, out, (upper, lower) => remainder64(upper, lower, size));
    return;
  }
  const store = storer(dtype);
  const modulus = Number(size);
  fillFromWords(gen, out, (word) => store(word % modulus));
}

/** Above this many numbers, PyTorch draws 64 bits for each. */
const largePermutation = Math.floor(0xffffffff / 20);

/** A permutation of 0 … n − 1: each place is swapped with one that is not before it. */
export function randperm(gen: Generator, n: number): Float64Array {
  if (n >= largePermutation) {
    throw torchError("RuntimeError", `randperm is supported below ${largePermutation}; got n=${n}`);
  }
  const out = Float64Array.from({ length: n }, (_, i) => i);
  for (let start = 0; start < n - 1; start += chunkWords) {
    gen.draw(Math.min(chunkWords, n - 1 - start)).forEach((word, index) => {
      const here = start + index;
      const there = here + (word % (n - here));
      const swapped = out[here] as number;
      out[here] = out[there] as number;
      out[there] = swapped;
    });
  }
  return out;
}
