/** Exact arithmetic, for the tests of this folder: numbers as integer multiples of 2^−1074. */

const unit = 1074;

function integerOf(x: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(x).buffer);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & (2n ** 52n - 1n);
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** a·b + c rounded once to `digits` binary digits, ties to even; for results that are not tiny. */
export function exactFused(a: number, b: number, c: number, digits: number): number {
  const value = integerOf(a) * integerOf(b) + (integerOf(c) << BigInt(unit));
  const magnitude = value < 0n ? -value : value;
  const surplus = BigInt(Math.max(magnitude.toString(2).length - digits, 0));
  const half = surplus === 0n ? 0n : 1n << (surplus - 1n);
  const rest = magnitude & ((1n << surplus) - 1n);
  const floor = magnitude >> surplus;
  const isUp = rest > half || (rest === half && surplus > 0n && floor % 2n === 1n);
  const rounded = Number(floor + (isUp ? 1n : 0n));
  return (value < 0n ? -rounded : rounded) * 2 ** (Number(surplus) - 2 * unit);
}
