/**
 * Fused multiply-add of float32 lanes. WebAssembly has no deterministic one, so it is done in
 * float64, where the product of two float32 numbers is exact, on the two halves of a vector.
 */
import type { Body, Code } from "./assembler.ts";
import { f32x4, f64x2, i64x2, v128 } from "./assembler.ts";

/** A f32x4 as two f64x2. Codes that only read: they may be used more than once. */
export interface Wide {
  readonly low: Code;
  readonly high: Code;
}

const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const bothLowerHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/** `x` must only read. */
export const widen = (f: Body, x: Code): Wide => ({
  low: f.keep(f64x2.promote(x)),
  high: f.keep(f64x2.promote(v128.shuffle(upperHalf, x, x))),
});

export const narrow = ({ low, high }: Wide): Code =>
  v128.shuffle(bothLowerHalves, f32x4.demote(low), f32x4.demote(high));

/** The float64 constant with the value of a float32 one. */
const single = (value: number): Code => f64x2.const(Math.fround(value));

const roundToSingle = (x: Code): Code => f64x2.promote(f32x4.demote(x));

/**
 * ((c₀·x + c₁)·x + c₂)·x + …, each step rounded once, if the sums are exact in float64: they are
 * where the product's last bit and the sum's first are at most 53 places apart.
 */
function horner(x: Code, [first = 0, ...rest]: readonly number[]): Code {
  let y = single(first);
  for (const c of rest) y = roundToSingle(f64x2.add(f64x2.mul(y, x), single(c)));
  return y;
}

export const polynomial = (x: Wide, coefficients: readonly number[]): Wide => ({
  low: horner(x.low, coefficients),
  high: horner(x.high, coefficients),
});

/** a·b + c, rounded to float64 and then to float32. */
export const multiplyAdd = (a: Wide, b: Wide, c: Wide): Wide => ({
  low: f64x2.add(f64x2.mul(a.low, b.low), c.low),
  high: f64x2.add(f64x2.mul(a.high, b.high), c.high),
});

/**
 * a·b + c for a later rounding to float32, for any numbers. Rounding to float64 first can make a
 * tie that is none; so an inexact sum whose last bit is even moves to the neighbour on the side of
 * the error (rounding to odd: Boldo and Melquiond, 2008). The error is Knuth's two-sum.
 */
function multiplyAddToOdd(f: Body, a: Code, b: Code, c: Code): Code {
  const product = f.keep(f64x2.mul(a, b));
  const sum = f.keep(f64x2.add(product, c));
  const addend = f.keep(f64x2.sub(sum, product));
  const lost = f64x2.sub(product, f64x2.sub(sum, addend));
  const error = f.keep(f64x2.add(lost, f64x2.sub(c, addend)));
  const inexact = f64x2.ne(error, f64x2.const(0));
  const even = i64x2.eq(v128.and(sum, i64x2.const(1n)), i64x2.const(0n));
  const opposed = f64x2.lt(f64x2.mul(error, sum), f64x2.const(0));
  const step = v128.or(opposed, i64x2.const(1n));
  return i64x2.add(sum, v128.and(step, v128.and(inexact, even)));
}

/** The f32x4 a·b + c, rounded once, for any numbers. The operands must only read. */
export function fusedMultiplyAdd(f: Body, a: Code, b: Code, c: Code): Code {
  const [x, y, z] = [widen(f, a), widen(f, b), widen(f, c)];
  return narrow({
    low: multiplyAddToOdd(f, x.low, y.low, z.low),
    high: multiplyAddToOdd(f, x.high, y.high, z.high),
  });
}
