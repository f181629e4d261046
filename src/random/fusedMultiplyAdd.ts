/** a·b + c in float64 with a single rounding, which JavaScript has no operation for. */

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);
const lowWord = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** Veltkamp's constant: the upper 26 bits of x are those of x·(2²⁷ + 1) − (x·(2²⁷ + 1) − x). */
const splitter = 2 ** 27 + 1;

function split(x: number): readonly [high: number, low: number] {
  const scaled = splitter * x;
  const high = scaled - (scaled - x);
  return [high, x - high];
}

/** The rounded product and its error (Dekker). */
function twoProduct(a: number, b: number): readonly [product: number, error: number] {
  const product = a * b;
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return [product, error];
}

/** The rounded sum and its error (Knuth). */
function twoSum(a: number, b: number): readonly [sum: number, error: number] {
  const sum = a + b;
  const shared = sum - a;
  return [sum, a - (sum - shared) + (b - shared)];
}

/** a + b, where it is inexact the one of the two neighbours whose last bit is odd. */
function addToOdd(a: number, b: number): number {
  const [sum, error] = twoSum(a, b);
  if (error === 0) return sum;
  float[0] = sum;
  const low = halves[lowWord] as number;
  if (low % 2 === 1) return sum;
  const outwards = error > 0 === sum > 0;
  if (outwards || low !== 0) halves[lowWord] = outwards ? low + 1 : low - 1;
  else {
    halves[lowWord] = 0xffffffff;
    halves[1 - lowWord] = (halves[1 - lowWord] as number) - 1;
  }
  return float[0];
}

/** Boldo and Melquiond, "Emulation of FMA and correctly rounded sums" (2008). No overflow. */
export function fusedMultiplyAdd(a: number, b: number, c: number): number {
  const [product, productError] = twoProduct(a, b);
  const [lowSum, lowError] = twoSum(c, productError);
  const [sum, sumError] = twoSum(product, lowSum);
  return sum + addToOdd(lowError, sumError);
}
