/**
 * Normal numbers as PyTorch's AVX2 kernel computes them: the Box-Muller transform in float32 with
 * the polynomials of the Cephes library for log, sin and cos, contracted to fused multiply-adds as
 * its compiler does. Both arguments have 24 bits; for each of their values, fusing in float64
 * gives what fusing in float32 gives.
 */
import type { Body, Code, FunctionSource } from "./assembler.ts";
import { f32x4, i32, i32x4, v128 } from "./assembler.ts";
import { fusedMultiplyAdd, multiplyAdd, narrow, polynomial, widen } from "./fused.ts";

const logCoefficients = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1,
  -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
];
const sinCoefficients = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1];
const cosCoefficients = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2];

/** ln 2 and π/4, split so that the first parts times a small integer are exact. */
const ln2 = [0.693359375, -2.1219444e-4] as const;
const quarterPi = [0.78515625, 2.4187564849853516e-4, 3.774894977445941e-8] as const;

const [one, half] = [f32x4.const(1), f32x4.const(0.5)];

/** Logarithm of normal positive numbers: exponent · ln 2 + log of a mantissa in [√½, √2). */
function log(f: Body, u: Code): Code {
  const exponent = f32x4.convert(i32x4.sub(i32x4.shrUnsigned(u, i32.const(23)), i32x4.const(126)));
  const fraction = v128.and(u, i32x4.const(~0x7f800000));
  const mantissa = f.keep(v128.or(fraction, half));
  const small = f.keep(f32x4.lt(mantissa, f32x4.const(Math.SQRT1_2)));
  const e = f.keep(f32x4.sub(exponent, v128.and(one, small)));
  const x = f.keep(f32x4.add(f32x4.sub(mantissa, one), v128.and(mantissa, small)));
  const z = f.keep(f32x4.mul(x, x));
  const cubic = f.keep(f32x4.mul(narrow(polynomial(widen(f, x), logCoefficients)), x));
  const lowPart = f.keep(f32x4.mul(e, f32x4.const(ln2[1])));
  const tail = narrow(multiplyAdd(widen(f, cubic), widen(f, z), widen(f, lowPart)));
  const series = f32x4.add(x, f32x4.sub(tail, f32x4.mul(z, half)));
  return f32x4.add(series, f32x4.mul(e, f32x4.const(ln2[0])));
}

/** Sine and cosine of angles in [0, 2π]. */
function sinCos(f: Body, angle: Code): { sin: Code; cos: Code } {
  const eighths = i32x4.truncate(f32x4.mul(angle, f32x4.const(4 / Math.PI)));
  const octant = f.keep(v128.and(i32x4.add(eighths, i32x4.const(1)), i32x4.const(~1)));
  const turns = f.keep(f32x4.convert(octant));
  const coarse = f32x4.sub(angle, f32x4.mul(turns, f32x4.const(quarterPi[0])));
  const finer = f.keep(f32x4.sub(coarse, f32x4.mul(turns, f32x4.const(quarterPi[1]))));
  const minusLast = f.keep(f32x4.const(-quarterPi[2]));
  const x = f.keep(narrow(multiplyAdd(widen(f, turns), widen(f, minusLast), widen(f, finer))));
  const z = f.keep(f32x4.mul(x, x));
  const wideZ = widen(f, z);
  const cosTail = f.keep(f32x4.mul(narrow(polynomial(wideZ, cosCoefficients)), z));
  const minusHalfZ = f.keep(f32x4.mul(z, f32x4.const(-0.5)));
  const cosSeries = narrow(multiplyAdd(widen(f, cosTail), wideZ, widen(f, minusHalfZ)));
  const nearCos = f.keep(f32x4.add(cosSeries, one));
  const sinTail = f.keep(f32x4.mul(narrow(polynomial(wideZ, sinCoefficients)), z));
  const wideX = widen(f, x);
  const nearSin = f.keep(narrow(multiplyAdd(widen(f, sinTail), wideX, wideX)));
  const bit1 = v128.and(octant, i32x4.const(2));
  const upright = f.keep(i32x4.eq(bit1, i32x4.const(0)));
  const bit2 = (flags: Code): Code => i32x4.shl(v128.and(flags, i32x4.const(4)), i32.const(29));
  const sinSign = bit2(octant);
  const cosSign = bit2(v128.not(i32x4.sub(octant, i32x4.const(2))));
  return {
    sin: v128.xor(v128.bitselect(nearSin, nearCos, upright), sinSign),
    cos: v128.xor(v128.bitselect(nearCos, nearSin, upright), cosSign),
  };
}

const low24 = i32x4.const(0xffffff);

const fractionOf24Bits = (integer: Code): Code =>
  f32x4.mul(f32x4.convert(integer), f32x4.const(2 ** -24));

/**
 * Turns blocks of 16 random words, from the address `start` to `end`, into 16 normal float32
 * numbers each: word j gives the radius and word j + 8 the angle of the numbers j and j + 8.
 */
function normalKernel(name: string, scale: (f: Body, x: Code, std: Code, mean: Code) => Code) {
  const source: FunctionSource = {
    name,
    parameters: ["i32", "i32", "f32", "f32"],
    body: (f, start, end, mean, std) => {
      const address = f.variable("i32", start);
      const [means, deviations] = [f.keep(f32x4.splat(mean)), f.keep(f32x4.splat(std))];
      f.loop(() => {
        for (const first of [0, 16]) {
          const second = first + 32;
          const complement = v128.and(v128.load(address.get, first), low24);
          const u = f.keep(fractionOf24Bits(i32x4.sub(i32x4.const(1 << 24), complement)));
          const turn = fractionOf24Bits(v128.and(v128.load(address.get, second), low24));
          const minusTwo = f32x4.const(-2);
          const radius = f.keep(f32x4.sqrt(f32x4.mul(minusTwo, log(f, u))));
          const { sin, cos } = sinCos(f, f.keep(f32x4.mul(turn, f32x4.const(2 * Math.PI))));
          const [x, y] = [f.keep(f32x4.mul(radius, cos)), f.keep(f32x4.mul(radius, sin))];
          f.run(v128.store(address.get, scale(f, x, deviations, means), first));
          f.run(v128.store(address.get, scale(f, y, deviations, means), second));
        }
        address.set(i32.add(address.get, i32.const(64)));
        return i32.sub(address.get, end);
      });
    },
  };
  return source;
}

export const normal = normalKernel("normal", fusedMultiplyAdd);

/** The same for mean 0, where nothing needs to be fused; adding it turns −0 into 0. */
export const centredNormal = normalKernel("centredNormal", (_, x, std, mean) =>
  f32x4.add(f32x4.mul(x, std), mean),
);

/** Random words from `start` to `end`, 16 bytes at a time, to float32 in [from, from + span). */
export const uniform: FunctionSource = {
  name: "uniform",
  parameters: ["i32", "i32", "f32", "f32"],
  body: (f, start, end, from, span) => {
    const address = f.variable("i32", start);
    const [offsets, spans] = [f.keep(f32x4.splat(from)), f.keep(f32x4.splat(span))];
    f.loop(() => {
      const u = f.keep(fractionOf24Bits(v128.and(v128.load(address.get), low24)));
      f.run(v128.store(address.get, fusedMultiplyAdd(f, u, spans, offsets)));
      address.set(i32.add(address.get, i32.const(16)));
      return i32.sub(address.get, end);
    });
  },
};
