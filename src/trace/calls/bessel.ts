/** Bessel functions and Airy's, in the type of their argument: PyTorch rounds after each step too. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { inGradMode } from "../passThrough.ts";
import type { TorchType } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import {
  airy,
  i0Series,
  i1Series,
  k0Series,
  k1Series,
  type Oscillation,
  orderOne,
  orderZero,
  type Rational,
  type Series,
} from "./besselCoefficients.ts";
import { withSlope } from "./curves.ts";
import { add, div, mul, num, polynomial, scale, shift, sub, where } from "./formulas.ts";

type Order = 0 | 1;
type Write = (emit: Emit, x: Value) => Value;

const isLess = (emit: Emit, x: Value, than: number): Value =>
  emit.op("Less", [x, num(emit, x, than)]);
const isZero = (emit: Emit, x: Value): Value => emit.op("Equal", [x, num(emit, x, 0)]);

/** Σ c_k T_k(t / 2), halved at k = 0, by Clenshaw. https://dlmf.nist.gov/3.11.E15 */
function chebyshevSum(emit: Emit, t: Value, coefficients: readonly number[]): Value {
  const zero = num(emit, t, 0);
  let [now, before, last] = [num(emit, t, coefficients[0] as number), zero, zero];
  for (const c of coefficients.slice(1)) {
    [last, before] = [before, now];
    now = shift(emit, sub(emit, mul(emit, t, before), last), c);
  }
  return scale(emit, sub(emit, now, last), 0.5);
}

/** The coefficients here are from the highest power down. */
const descending = (emit: Emit, t: Value, coefficients: readonly number[]): Value =>
  polynomial(emit, t, coefficients.toReversed());

const rational = (emit: Emit, t: Value, [top, bottom]: Rational): Value =>
  div(emit, descending(emit, t, top), descending(emit, t, bottom));

/** e^−|x| I(x) */
function scaledI(emit: Emit, x: Value, order: Order): Value {
  const { near, far } = order === 0 ? i0Series : i1Series;
  const size = emit.op("Abs", [x]);
  const low = chebyshevSum(emit, shift(emit, scale(emit, size, 0.5), -2), near);
  const reciprocal = shift(emit, div(emit, num(emit, x, 32), size), -2);
  const high = div(emit, chebyshevSum(emit, reciprocal, far), emit.op("Sqrt", [size]));
  const isFar = emit.op("Greater", [size, num(emit, x, 8)]);
  const value = where(emit, isFar, high, order === 0 ? low : mul(emit, low, size));
  return order === 0 ? value : withSignOf(emit, value, x);
}

const withSignOf = (emit: Emit, value: Value, x: Value): Value =>
  where(emit, isLess(emit, x, 0), emit.op("Neg", [value]), value);

const growth = (emit: Emit, x: Value): Value => emit.op("Exp", [emit.op("Abs", [x])]);

export const modifiedI =
  (order: Order): Write =>
  (emit, x) =>
    mul(emit, growth(emit, x), scaledI(emit, x, order));

export const exponentialI =
  (order: Order): Write =>
  (emit, x) =>
    scaledI(emit, x, order);

/** K(x), times e^x where it is scaled; ∞ at 0, no number below. */
const modifiedK =
  (order: Order, isScaled: boolean): Write =>
  (emit, x) => {
    const { near, far }: Series = order === 0 ? k0Series : k1Series;
    const sum = chebyshevSum(emit, shift(emit, mul(emit, x, x), -2), near);
    const log = emit.op("Log", [scale(emit, x, 0.5)]);
    const grown = mul(emit, log, modifiedI(order)(emit, x));
    const low = order === 0 ? sub(emit, sum, grown) : add(emit, grown, div(emit, sum, x));
    const reciprocal = shift(emit, div(emit, num(emit, x, 8), x), -2);
    const tail = chebyshevSum(emit, reciprocal, far);
    const root = emit.op("Sqrt", [x]);
    const decay = () => mul(emit, emit.op("Exp", [emit.op("Neg", [x])]), tail);
    const high = div(emit, isScaled ? tail : decay(), root);
    const nearby = isScaled ? mul(emit, low, emit.op("Exp", [x])) : low;
    const isFar = emit.op("Greater", [x, num(emit, x, 2)]);
    return fromZero(emit, x, where(emit, isFar, high, nearby), Number.POSITIVE_INFINITY);
  };

/** `value` above 0, `limit` at 0, no number below. */
function fromZero(emit: Emit, x: Value, value: Value, limit: number): Value {
  const above = where(emit, isLess(emit, x, 0), num(emit, x, Number.NaN), value);
  return where(emit, isZero(emit, x), num(emit, x, limit), above);
}

const roots: Readonly<Record<Order, readonly [number, number]>> = {
  0: [5.783185962946785, 30.471262343662087],
  1: [14.681970642123893, 49.21845632169461],
};

/** √(2/πx) (P cos φ − (5/x) Q sin φ) with φ = x − π/4 (3π/4 of order 1); of Y P sin φ + (5/x) Q cos φ. */
function wave(emit: Emit, x: Value, order: Order, isY: boolean): Value {
  const { even, odd }: Oscillation = order === 0 ? orderZero : orderOne;
  const inverse = div(emit, num(emit, x, 5), x);
  const square =
    order === 0 ? div(emit, num(emit, x, 25), mul(emit, x, x)) : mul(emit, inverse, inverse);
  const phase = shift(emit, x, order === 0 ? -Math.PI / 4 : (-3 * Math.PI) / 4);
  const [cosine, sine] = [emit.op("Cos", [phase]), emit.op("Sin", [phase])];
  const first = mul(emit, rational(emit, square, even), isY ? sine : cosine);
  const amplitude = mul(emit, inverse, rational(emit, square, odd));
  const second = mul(emit, amplitude, isY ? cosine : sine);
  const sum = isY ? add(emit, first, second) : sub(emit, first, second);
  return div(emit, scale(emit, sum, Math.sqrt(2 / Math.PI)), emit.op("Sqrt", [x]));
}

const besselJ =
  (order: Order): Write =>
  (emit, x) => {
    const size = emit.op("Abs", [x]);
    const square = mul(emit, x, x);
    const [one, two] = roots[order].map((root) => shift(emit, square, -root)) as [Value, Value];
    const [top, bottom] = (order === 0 ? orderZero : orderOne).near;
    const [above, below] = [top, bottom].map((one) => descending(emit, square, one)) as [
      Value,
      Value,
    ];
    const near =
      order === 0
        ? div(emit, mul(emit, mul(emit, one, two), above), below)
        : mul(emit, mul(emit, mul(emit, div(emit, above, below), x), one), two);
    const far = wave(emit, size, order, false);
    const isFar = emit.op("Greater", [size, num(emit, x, 5)]);
    if (order === 1) return where(emit, isFar, withSignOf(emit, far, x), near);
    const least = sub(emit, num(emit, x, 1), scale(emit, square, 0.25));
    const low = where(emit, isLess(emit, size, 1e-5), least, near);
    return where(emit, isFar, far, low);
  };

const besselY =
  (order: Order): Write =>
  (emit, x) => {
    const beside = rational(emit, mul(emit, x, x), (order === 0 ? orderZero : orderOne).beside);
    const grown = mul(emit, emit.op("Log", [x]), besselJ(order)(emit, x));
    const near =
      order === 0
        ? add(emit, beside, scale(emit, grown, 2 / Math.PI))
        : add(
            emit,
            mul(emit, x, beside),
            scale(emit, sub(emit, grown, emit.op("Reciprocal", [x])), 2 / Math.PI),
          );
    const isFar = emit.op("Greater", [x, num(emit, x, 5)]);
    const value = where(emit, isFar, wave(emit, x, order, true), near);
    return fromZero(emit, x, value, Number.NEGATIVE_INFINITY);
  };

/** 1 − x²/6 + … near 0, sin x / x elsewhere. */
function sphericalJ(emit: Emit, x: Value): Value {
  const series = [13, 11, 9, 7, 5, 3, 1].map((n, at) => (at % 2 === 0 ? 1 : -1) / factorial(n));
  const near = descending(emit, mul(emit, x, x), series);
  const far = div(emit, emit.op("Sin", [x]), x);
  const isNear = isLess(emit, emit.op("Abs", [x]), 0.5);
  return where(emit, emit.op("IsInf", [x]), num(emit, x, 0), where(emit, isNear, near, far));
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** From here on the decay of Airy's function is 0. */
const airyEnd = 103.892;
/** Between ± this its power series holds. */
const airyNear = 2.09;

function airyAi(emit: Emit, x: Value): Value {
  const high = airyDecay(emit, emit.op("Max", [x, num(emit, x, 1)]));
  const low = airyWave(emit, emit.op("Max", [emit.op("Neg", [x]), num(emit, x, 1)]));
  const isHigh = emit.op("GreaterOrEqual", [x, num(emit, x, airyNear)]);
  const value = where(emit, isLess(emit, x, -airyNear), low, airySeries(emit, x));
  const isPast = emit.op("Greater", [x, num(emit, x, airyEnd)]);
  const finite = where(emit, isPast, num(emit, x, 0), where(emit, isHigh, high, value));
  return where(emit, emit.op("IsInf", [x]), num(emit, x, Number.NaN), finite);
}

/** ⅔ x^(3/2) */
const airyPhase = (emit: Emit, x: Value): Value =>
  div(emit, mul(emit, scale(emit, x, 2), emit.op("Sqrt", [x])), num(emit, x, 3));

const fourthRoot = (emit: Emit, x: Value): Value => emit.op("Sqrt", [emit.op("Sqrt", [x])]);

function airyDecay(emit: Emit, x: Value): Value {
  const phase = airyPhase(emit, x);
  const share = rational(emit, emit.op("Reciprocal", [phase]), airy.decay);
  const power = mul(emit, scale(emit, fourthRoot(emit, x), 2), emit.op("Exp", [phase]));
  return div(emit, scale(emit, share, 1 / Math.sqrt(Math.PI)), power);
}

/** Ai(−x) */
function airyWave(emit: Emit, x: Value): Value {
  const phase = airyPhase(emit, x);
  const z = emit.op("Reciprocal", [phase]);
  const square = mul(emit, z, z);
  const even = shift(emit, mul(emit, square, rational(emit, square, airy.even)), 1);
  const odd = mul(emit, z, rational(emit, square, airy.odd));
  const turned = shift(emit, phase, Math.PI / 4);
  const sum = sub(
    emit,
    mul(emit, emit.op("Sin", [turned]), even),
    mul(emit, emit.op("Cos", [turned]), odd),
  );
  return mul(emit, div(emit, num(emit, x, 1 / Math.sqrt(Math.PI)), fourthRoot(emit, x)), sum);
}

/** Ai(0) f(x) + Ai′(0) g(x). https://dlmf.nist.gov/9.4.E1 */
function airySeries(emit: Emit, x: Value): Value {
  const cube = mul(emit, mul(emit, x, x), x);
  const terms = 16;
  const sum = (first: number): Value => {
    let total = num(emit, x, 1);
    for (let k = terms; k > 0; k--) {
      const step = scale(emit, cube, 1 / ((3 * k + first - 1) * (3 * k + first)));
      total = shift(emit, mul(emit, total, step), 1);
    }
    return total;
  };
  const odd = scale(emit, mul(emit, x, sum(1)), 0.2588194037928068);
  return sub(emit, scale(emit, sum(0), 0.3550280538878172), odd);
}

/** The argument in a type that PyTorch has the kernel for: single or double precision. */
function wideArgument(ctx: CallContext, name: string, input: Tensor): { x: Value; as: TorchType } {
  const as = ctx.promoteToFloat(input);
  if (as !== "float32" && as !== "float64")
    throw torchError("NotImplementedError", `"${name}_cpu" not implemented for '${cppName(as)}'`);
  return { x: ctx.as(input, as), as };
}

/** A function that no gradient comes through, without a word of it: PyTorch's. */
function flat(name: string, write: Write) {
  return torchCall({
    name,
    in: ["torch.special"],
    params: { input: tensor },
    build: (ctx, { input }) => {
      const { x, as } = wideArgument(ctx, name, input);
      const value = inGradMode(ctx.emit, false, () => write(ctx.emit, x));
      return { typed: value, as };
    },
  });
}

function curved(
  name: string,
  write: Write,
  slope: (emit: Emit, x: Value, y: Value) => Value,
  ...saves: ("input" | "result")[]
) {
  return torchCall({
    name,
    in: ["torch.special"],
    params: { input: tensor },
    saves,
    build: (ctx, { input }) => {
      const { x, as } = wideArgument(ctx, name, input);
      const value = withSlope(
        ctx.emit,
        x,
        () => write(ctx.emit, x),
        (backward, y, d) => mul(backward, d, slope(backward, x, y)),
      );
      return { typed: value, as };
    },
  });
}

const negated =
  (write: Write): Write =>
  (emit, x) =>
    emit.op("Neg", [write(emit, x)]);

/** f₀ − f₁ / x, and what it tends to at 0. */
const lower =
  (zeroth: Write, atZero: number) =>
  (emit: Emit, x: Value, y: Value): Value => {
    const slope = sub(emit, zeroth(emit, x), div(emit, y, x));
    return where(emit, isZero(emit, x), num(emit, x, atZero), slope);
  };

const slopeOfI1 = lower(modifiedI(0), 0.5);

export const besselJ0 = curved("bessel_j0", besselJ(0), negated(besselJ(1)), "input");
export const besselJ1 = curved("bessel_j1", besselJ(1), lower(besselJ(0), 0.5), "input", "result");
export const besselY0 = curved("bessel_y0", besselY(0), negated(besselY(1)), "input");
export const besselY1 = curved(
  "bessel_y1",
  besselY(1),
  lower(besselY(0), Number.POSITIVE_INFINITY),
  "input",
  "result",
);
export const modifiedI0 = curved("modified_bessel_i0", modifiedI(0), modifiedI(1), "input");
export const modifiedI1 = curved("modified_bessel_i1", modifiedI(1), slopeOfI1, "input", "result");
export const modifiedK0 = curved(
  "modified_bessel_k0",
  modifiedK(0, false),
  negated(modifiedK(1, false)),
  "input",
);
export const modifiedK1 = curved(
  "modified_bessel_k1",
  modifiedK(1, false),
  (emit, x, y) => sub(emit, negated(modifiedK(0, false))(emit, x), div(emit, y, x)),
  "input",
  "result",
);
export const scaledK0 = flat("scaled_modified_bessel_k0", modifiedK(0, true));
export const scaledK1 = flat("scaled_modified_bessel_k1", modifiedK(1, true));
export const sphericalJ0 = flat("spherical_bessel_j0", sphericalJ);
export const airyFunction = flat("airy_ai", airyAi);
