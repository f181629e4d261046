/** The complement and the inverse of the error function, and the logarithm of the normal distribution's. */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, numel } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { roundTo } from "../../ops/kernels/round.ts";
import { castTo } from "../../ops/write.ts";
import { erfinv } from "../../random/generator.ts";
import { lnOnePlus } from "./curves.ts";
import { num, oddSeries, polynomial } from "./formulas.ts";

/**
 * ln of e^(x²) erfc(x) for x ≥ 0, to 4e-10: with t = 1 / (1 + x/2) it is ln t + p(t). The polynomial
 * interpolates at Chebyshev's points.
 */
function logScaledComplement(emit: Emit, x: Value): Value {
  const half = emit.op("Mul", [x, num(emit, x, 0.5)]);
  const t = emit.op("Reciprocal", [emit.op("Add", [half, num(emit, x, 1)])]);
  return emit.op("Add", [emit.op("Log", [t]), polynomial(emit, t, complementCoefficients)]);
}

const complementCoefficients = [
  -1.26551212335, 1.00000008319, 0.374991401152, 0.0836223630177, -0.0907612392139,
  -0.0964933474045, -0.388317642285, 1.27989953979, -3.49087669661, 7.34298971026, -9.66353570957,
  7.83383934741, -3.86218864148, 1.0712780306, -0.128935075352,
];

/** 1 − erf(x), small but exact in the far tail. */
export function erfcOf(emit: Emit, given: Value): Value {
  const x = castTo(emit, given, "float64");
  const size = emit.op("Abs", [x]);
  const square = emit.op("Mul", [x, x]);
  const tail = emit.op("Exp", [emit.op("Sub", [logScaledComplement(emit, size), square])]);
  const isNegative = emit.op("Less", [x, num(emit, x, 0)]);
  const mirrored = emit.op("Sub", [num(emit, x, 2), tail]);
  return castTo(emit, emit.op("Where", [isNegative, mirrored, tail]), given.dtype);
}

/** e^(x²) erfc(x), of a negative x 2 e^(x²) − what it is at −x. */
export function erfcxOf(emit: Emit, given: Value): Value {
  const x = castTo(emit, given, "float64");
  const scaled = emit.op("Exp", [logScaledComplement(emit, emit.op("Abs", [x]))]);
  const power = emit.op("Exp", [emit.op("Mul", [x, x])]);
  const mirrored = emit.op("Sub", [emit.op("Mul", [power, num(emit, x, 2)]), scaled]);
  const isNegative = emit.op("Less", [x, num(emit, x, 0)]);
  return castTo(emit, emit.op("Where", [isNegative, mirrored, scaled]), given.dtype);
}

/** ln Φ(x): below −1 without leaving the logarithm, above it as ln(1 − erfc(x / √2) / 2). */
export function logNormalShareOf(emit: Emit, given: Value): Value {
  const x = castTo(emit, given, "float64");
  const z = emit.op("Mul", [x, num(emit, x, -Math.SQRT1_2)]);
  const size = emit.op("Max", [z, num(emit, x, 0)]);
  const square = emit.op("Mul", [size, size]);
  const logTail = emit.op("Sub", [
    emit.op("Sub", [logScaledComplement(emit, size), square]),
    num(emit, x, Math.LN2),
  ]);
  const missing = emit.op("Mul", [erfcOf(emit, emit.op("Neg", [z])), num(emit, x, -0.5)]);
  const isLow = emit.op("Less", [x, num(emit, x, -1)]);
  const near = emit.op("Where", [isLow, num(emit, x, 0), missing]);
  const made = emit.op("Where", [isLow, logTail, lnOnePlus(emit, near)]);
  return castTo(emit, made, given.dtype);
}

/**
 * erf⁻¹: two polynomials in w = −ln(1 − x²) (M. Giles, Approximating the erfinv function, 2012),
 * exact to single precision, and in double precision a step of Newton's from there. Known numbers: exact
 * to double precision.
 */
export function erfinvOf(emit: Emitter, x: Value): Value {
  if (x.role === "constant" && x.data) {
    const data = allocate(x.dtype, numel(x.shape));
    for (let i = 0; i < data.length; i++) data[i] = erfinv(x.data[i] as number);
    roundTo(x.dtype, data);
    return emit.constant({ dtype: x.dtype, shape: x.shape, data });
  }
  const wide = castTo(emit, x, "float64");
  const one = num(emit, wide, 1);
  const rest = emit.op("Mul", [emit.op("Sub", [one, wide]), emit.op("Add", [one, wide])]);
  const w = emit.op("Neg", [emit.op("Log", [rest])]);
  const nearer = emit.op("Sub", [w, num(emit, wide, 2.5)]);
  const far = emit.op("Sub", [emit.op("Sqrt", [w]), num(emit, wide, 3)]);
  const isNear = emit.op("Less", [w, num(emit, wide, 5)]);
  const factor = emit.op("Where", [
    isNear,
    polynomial(emit, nearer, nearCoefficients),
    polynomial(emit, far, farCoefficients),
  ]);
  const near = emit.op("Mul", [factor, wide]);
  const value = x.dtype === "float64" ? refinedInverse(emit, wide, near) : near;
  const isEnd = emit.op("Equal", [emit.op("Abs", [wide]), one]);
  const endless = emit.op("Mul", [wide, num(emit, wide, Number.POSITIVE_INFINITY)]);
  return castTo(emit, emit.op("Where", [isEnd, endless, value]), x.dtype);
}

/** y + (x − erf y) · e^(y²) √π/2; beyond ±2 x − erf y is ±(erfc |y| − (1 − |x|)). */
function refinedInverse(emit: Emit, x: Value, y: Value): Value {
  const size = emit.op("Abs", [y]);
  const share = emit.op("Sub", [num(emit, x, 1), emit.op("Abs", [x])]);
  const far = emit.op("Mul", [emit.op("Sign", [y]), emit.op("Sub", [erfcOf(emit, size), share])]);
  const isFar = emit.op("Greater", [size, num(emit, y, 2)]);
  const short = emit.op("Where", [isFar, far, emit.op("Sub", [x, erfSeries(emit, y, isFar)])]);
  const growth = emit.op("Exp", [emit.op("Mul", [y, y])]);
  const step = emit.op("Mul", [short, num(emit, x, Math.sqrt(Math.PI) / 2)]);
  return emit.op("Add", [y, emit.op("Mul", [step, growth])]);
}

/** erf in double precision. */
export function wideErf(emit: Emit, x: Value): Value {
  const size = emit.op("Abs", [x]);
  const isFar = emit.op("Greater", [size, num(emit, x, 2)]);
  const rest = emit.op("Sub", [num(emit, x, 1), erfcOf(emit, size)]);
  const far = emit.op("Mul", [emit.op("Sign", [x]), rest]);
  return emit.op("Where", [isFar, far, erfSeries(emit, x, isFar)]);
}

/** (2 / √π) Σ (−1)ⁿ x²ⁿ⁺¹ / (n! (2n + 1)), to the last digits up to ±2; 0 where `isFar`. */
function erfSeries(emit: Emit, x: Value, isFar: Value): Value {
  const near = emit.op("Where", [isFar, num(emit, x, 0), x]);
  return oddSeries(emit, near, erfTerms);
}

const erfTerms = Array.from({ length: 36 }, (_, n) => {
  let term = 2 / Math.sqrt(Math.PI);
  for (let k = 1; k <= n; k++) term /= -k;
  return term / (2 * n + 1);
});

const nearCoefficients = [
  1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087, -4.39150654e-6,
  -3.5233877e-6, 3.43273939e-7, 2.81022636e-8,
];
const farCoefficients = [
  2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773, -0.00367342844,
  0.00134934322, 0.000100950558, -0.000200214257,
];
