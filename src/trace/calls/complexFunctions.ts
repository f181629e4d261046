/** Functions of complex values, held as pairs on the last axis. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { reshapeTo } from "../../ops/write.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { complexDivide, complexMultiply, conjugate, pair, parts } from "./complexNumbers.ts";
import { narrowed } from "./narrowed.ts";

/** |z| with the larger part taken out, so that no square is beyond the type; its gradient at 0 is 0. */
export function modulus(emit: Emitter, z: Value): Value {
  const made = emit.grouped(
    [z],
    () => [sizeOf(emit, z)],
    (backward, [d]) => {
      if (!d) return [null];
      const shape = backward.ints([d.shape.length]);
      return [backward.op("Mul", [backward.op("Unsqueeze", [d, shape]), direction(backward, z)])];
    },
  );
  return made[0] as Value;
}

function sizeOf(emit: Emit, z: Value): Value {
  const axes = emit.ints([z.shape.length - 1]);
  const most = emit.op("ReduceMax", [emit.op("Abs", [z]), axes], { keepdims: 1 });
  const isScaled = emit.op("Greater", [most, emit.scalar(0, z.dtype)]);
  const isWithin = emit.op("And", [isScaled, emit.op("Not", [emit.op("IsInf", [most])])]);
  const scale = emit.op("Where", [isWithin, most, emit.scalar(1, z.dtype)]);
  const rest = emit.op("ReduceL2", [emit.op("Div", [z, scale]), axes], { keepdims: 0 });
  const size = emit.op("Mul", [rest, emit.op("Squeeze", [scale, axes])]);
  // Infinity beside NaN is as large as beside a number.
  const [x, y] = parts(emit, z).map((part) => emit.op("IsInf", [part])) as [Value, Value];
  const infinity = emit.scalar(Number.POSITIVE_INFINITY, z.dtype);
  return emit.op("Where", [emit.op("Or", [x, y]), infinity, size]);
}

/**
 * The angle of (x, y), in (−π, π]: dy · x / r² and −dx · y / r², 0 at the origin. ONNX has the
 * arctangent of one number only.
 */
export function angleOf(
  emit: Emitter,
  y: Value,
  x: Value,
  { square, negated }: PartSteps = { square: ofItself, negated: negative },
): Value {
  const made = emit.grouped(
    [y, x],
    () => [angleFrom(emit, y, x)],
    (backward, [d]) => {
      if (!d) return [null, null];
      const squares = [square(backward, x), square(backward, y)];
      const norm = backward.op("Add", squares);
      const zero = backward.scalar(0, d.dtype);
      const ratio = backward.op("Div", [d, norm]);
      const isOrigin = backward.op("Equal", [norm, zero]);
      const slope = backward.op("Where", [isOrigin, zero, ratio]);
      return [backward.op("Mul", [slope, x]), backward.op("Mul", [slope, negated(backward, y)])];
    },
  );
  return made[0] as Value;
}

/** How the gradient's steps are taken on a side: integers wrap in their own type. */
export interface PartSteps {
  square(emit: Emit, side: Value): Value;
  negated(emit: Emit, side: Value): Value;
}
const ofItself = (emit: Emit, side: Value): Value => emit.op("Mul", [side, side]);
const negative = (emit: Emit, side: Value): Value => emit.op("Neg", [side]);

function angleFrom(emit: Emit, y: Value, x: Value): Value {
  const zero = emit.scalar(0, x.dtype);
  const isOrigin = emit.op("And", [emit.op("Equal", [x, zero]), emit.op("Equal", [y, zero])]);
  const areInfinite = emit.op("And", [emit.op("IsInf", [x]), emit.op("IsInf", [y])]);
  const diagonal = emit.op("Mul", [emit.op("Sign", [y]), emit.op("Sign", [x])]);
  const ratio = emit.op("Where", [areInfinite, diagonal, emit.op("Div", [y, x])]);
  const arc = emit.op("Where", [isOrigin, y, narrowed(emit, "Atan", ratio)]);
  const turn = emit.op("Where", [
    isNegative(emit, y),
    emit.scalar(-Math.PI, x.dtype),
    emit.scalar(Math.PI, x.dtype),
  ]);
  return emit.op("Where", [isNegative(emit, x), emit.op("Add", [arc, turn]), arc]);
}

/** Below 0, or −0. */
function isNegative(emit: Emit, x: Value): Value {
  const zero = emit.scalar(0, x.dtype);
  const inverse = emit.op("Div", [emit.scalar(1, x.dtype), x]);
  return emit.op("Or", [emit.op("Less", [x, zero]), emit.op("Less", [inverse, zero])]);
}

export function angle(emit: Emitter, z: Value): Value {
  const [x, y] = parts(emit, z);
  return angleOf(emit, y, x);
}

/** z / |z|, and 0 at 0. */
export function direction(emit: Emit, z: Value): Value {
  const r = reshapeTo(emit, sizeOf(emit, z), [...z.shape.slice(0, -1), 1]);
  const zero = emit.scalar(0, z.dtype);
  const isZero = emit.op("Equal", [r, zero]);
  const divisor = emit.op("Where", [isZero, emit.scalar(1, z.dtype), r]);
  return emit.op("Where", [isZero, zero, emit.op("Div", [z, divisor])]);
}

const pairOf = (z: Value, re: number, im: number) =>
  z.dtype === "float64" ? Float64Array.of(re, im) : Float32Array.of(re, im);

/** r · (cos θ, sin θ) */
export function fromPolar(emit: Emit, r: Value, theta: Value): Value {
  const times = (op: string) => emit.op("Mul", [r, emit.op(op, [theta])]);
  return pair(emit, times("Cos"), times("Sin"));
}

// Functions of a complex number, each without a gradient of its own.

function exp(emit: Emit, z: Value): Value {
  const [a, b] = parts(emit, z);
  const size = emit.op("Exp", [a]);
  const turn = (name: string) => emit.op("Mul", [size, emit.op(name, [b])]);
  const re = keptInfinite(emit, turn("Cos"), size);
  const im = zeroOf(emit, turn("Sin"), b);
  return pair(emit, zeroOf(emit, re, size), zeroOf(emit, im, size));
}

/** What a product gives where `odd`, of which a factor is a function, is 0: that 0 whatever the other. */
const zeroOf = (emit: Emit, product: Value, odd: Value): Value =>
  emit.op("Where", [emit.op("Equal", [odd, emit.scalar(0, odd.dtype)]), odd, product]);

/** A product with an infinite factor, where the other is no number: infinite all the same. */
function keptInfinite(emit: Emit, product: Value, factor: Value): Value {
  const isLost = emit.op("And", [emit.op("IsInf", [factor]), emit.op("IsNaN", [product])]);
  return emit.op("Where", [isLost, factor, product]);
}

function log(emit: Emit, z: Value): Value {
  const [x, y] = parts(emit, z);
  return pair(emit, emit.op("Log", [sizeOf(emit, z)]), angleFrom(emit, y, x));
}

function scaledBy(emit: Emit, z: Value, factor: number): Value {
  return emit.op("Mul", [z, emit.scalar(factor, z.dtype)]);
}

/** z^n for a real n, by its angle. */
function realPower(emit: Emit, z: Value, n: number): Value {
  const [x, y] = parts(emit, z);
  const r = emit.op("Pow", [sizeOf(emit, z), emit.scalar(n, z.dtype)]);
  return fromPolar(emit, r, scaledBy(emit, angleFrom(emit, y, x), n));
}

const realNumber = (emit: Emit, like: Value, re: number): Value =>
  emit.constant({ dtype: like.dtype, shape: [2], data: pairOf(like, re, 0) });

const reciprocal = (emit: Emit, z: Value): Value => complexDivide(emit, realNumber(emit, z, 1), z);

type Named = Parameters<typeof narrowed>[1];

/** [f(a) · g(b), h(a) · k(b)]: what sines and cosines of a + bi are made of. */
const crossed =
  (names: readonly [Named, Named, Named, Named], sign: 1 | -1) =>
  (emit: Emit, z: Value): Value => {
    const [a, b] = parts(emit, z);
    const [re1, re2, im1, im2] = names;
    const product = (first: Named, second: Named) => {
      const factors = [narrowed(emit, first, a), narrowed(emit, second, b)] as const;
      const made = emit.op("Mul", factors);
      const ofSecond = isOdd(second) ? zeroOf(emit, made, b) : made;
      return isOdd(first) ? zeroOf(emit, ofSecond, a) : ofSecond;
    };
    const im = product(im1, im2);
    return pair(emit, product(re1, re2), sign === 1 ? im : emit.op("Neg", [im]));
  };

const isOdd = (name: Named): boolean => name === "Sin" || name === "Sinh";

const sin = crossed(["Sin", "Cosh", "Cos", "Sinh"], 1);
const cos = crossed(["Cos", "Cosh", "Sin", "Sinh"], -1);
const sinh = crossed(["Sinh", "Cos", "Cosh", "Sin"], 1);
const cosh = crossed(["Cosh", "Cos", "Sinh", "Sin"], 1);

const times = complexMultiply;

/** sinh z / cosh z; further out it is ±1 to the last digit, and its parts are beyond the type. */
function tanh(emit: Emit, z: Value): Value {
  const [a, b] = parts(emit, z);
  const most = z.dtype === "float64" ? 40 : 20;
  const near = emit.op("Clip", [a, emit.scalar(-most, a.dtype), emit.scalar(most, a.dtype)]);
  const within = pair(emit, near, b);
  const [re, im] = parts(emit, complexDivide(emit, sinh(emit, within), cosh(emit, within)));
  return pair(emit, zeroOf(emit, re, a), zeroOf(emit, im, b));
}

/** −i tanh(i z) */
function tan(emit: Emit, z: Value): Value {
  const [a, b] = parts(emit, z);
  const [re, im] = parts(emit, tanh(emit, pair(emit, emit.op("Neg", [b]), a)));
  return pair(emit, im, emit.op("Neg", [re]));
}

/** With t = √((|a| + |z|) / 2), t and b / 2t are its parts, whichever way round. */
function sqrt(emit: Emit, z: Value): Value {
  const [a, b] = parts(emit, z);
  const zero = emit.scalar(0, a.dtype);
  const half = (x: Value) => emit.op("Mul", [x, emit.scalar(0.5, a.dtype)]);
  const sum = emit.op("Add", [half(emit.op("Abs", [a])), half(sizeOf(emit, z))]);
  const large = emit.op("Sqrt", [sum]);
  const height = emit.op("Abs", [b]);
  const rest = emit.op("Where", [
    emit.op("Equal", [height, zero]),
    zero,
    emit.op("Div", [half(height), large]),
  ]);
  const known = emit.op("Where", [emit.op("IsNaN", [large]), large, rest]);
  const small = emit.op("Where", [emit.op("IsInf", [b]), height, known]);
  const isLeft = emit.op("Less", [a, zero]);
  const im = emit.op("Where", [isLeft, large, small]);
  const signed = emit.op("Where", [isNegative(emit, b), emit.op("Neg", [im]), im]);
  return pair(emit, emit.op("Where", [isLeft, small, large]), signed);
}

const square = (emit: Emit, z: Value): Value => times(emit, z, z);

/** 1 / (1 + e^−z) */
function sigmoid(emit: Emit, z: Value): Value {
  const above = emit.op("Add", [exp(emit, emit.op("Neg", [z])), realNumber(emit, z, 1)]);
  return reciprocal(emit, above);
}

interface ComplexFunction {
  readonly write: (emit: Emit, z: Value) => Value;
  /** The derivative at z, where the function is y. */
  readonly slope?: (emit: Emit, z: Value, y: Value) => Value;
  /** Or what the gradient is divided by. */
  readonly divisor?: (emit: Emit, z: Value, y: Value) => Value;
}

const logarithm = (factor: number): ComplexFunction => ({
  write: (emit, z) => (factor === 1 ? log(emit, z) : scaledBy(emit, log(emit, z), 1 / factor)),
  divisor: (emit, z) => (factor === 1 ? z : scaledBy(emit, z, factor)),
});

/** By PyTorch's name, with its formulas of derivatives. */
const functions: Readonly<Record<string, ComplexFunction>> = {
  exp: { write: exp, slope: (_emit, _z, y) => y },
  log: logarithm(1),
  log2: logarithm(Math.LN2),
  log10: logarithm(Math.LN10),
  sqrt: {
    write: sqrt,
    divisor: (emit, _z, y) => scaledBy(emit, y, 2),
  },
  rsqrt: {
    write: (emit, z) => reciprocal(emit, sqrt(emit, z)),
    slope: (emit, _z, y) => scaledBy(emit, times(emit, square(emit, y), y), -0.5),
  },
  reciprocal: { write: reciprocal, slope: (emit, _z, y) => emit.op("Neg", [square(emit, y)]) },
  square: { write: square, slope: (emit, z) => scaledBy(emit, z, 2) },
  sin: { write: sin, slope: cos },
  cos: { write: cos, slope: (emit, z) => emit.op("Neg", [sin(emit, z)]) },
  sinh: { write: sinh, slope: cosh },
  cosh: { write: cosh, slope: sinh },
  tan: {
    write: tan,
    slope: (emit, z, y) => emit.op("Add", [square(emit, y), realNumber(emit, z, 1)]),
  },
  tanh: {
    write: tanh,
    slope: (emit, z, y) => emit.op("Sub", [realNumber(emit, z, 1), square(emit, y)]),
  },
  sigmoid: {
    write: sigmoid,
    slope: (emit, z, y) => times(emit, emit.op("Sub", [realNumber(emit, z, 1), y]), y),
  },
};

/** f(z); its gradient is d · conj(f′). */
function analytic(emit: Emitter, z: Value, { write, slope, divisor }: ComplexFunction): Value {
  const made = emit.grouped(
    [z],
    () => [write(emit, z)],
    (backward, [d]) => {
      if (!d) return [null];
      const y = made[0] as Value;
      if (slope) return [times(backward, d, conjugate(backward, slope(backward, z, y)))];
      if (divisor)
        return [complexDivide(backward, d, conjugate(backward, divisor(backward, z, y)))];
      return [null];
    },
  );
  return made[0] as Value;
}

/** The function of PyTorch's name. */
export function onPairs(emit: Emitter, name: string, z: Value): Value {
  if (name === "sign")
    throw torchError(
      "NotImplementedError",
      "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
    );
  if (name === "neg") return emit.op("Neg", [z]);
  const found = functions[name];
  return found ? analytic(emit, z, found) : leaveToPython();
}

/** z^n for a real number n: its derivative is n z^(n − 1). */
export function numberPower(emit: Emitter, z: Value, n: number): Value {
  const write = (to: Emit, degree: number): Value => {
    if (degree === -1 || degree === -2 || degree === -0.5)
      return reciprocal(to, write(to, -degree));
    if (degree === 0.5) return sqrt(to, z);
    if (degree === 1) return to.op("Identity", [z]);
    if (degree === 2) return square(to, z);
    return degree === 3 ? times(to, square(to, z), z) : realPower(to, z, degree);
  };
  return analytic(emit, z, {
    write: () => write(emit, n),
    slope: (backward) =>
      n === 0 ? scaledBy(backward, z, 0) : scaledBy(backward, write(backward, n - 1), n),
  });
}

/**
 * z^w = e^(w · ln z), with PyTorch's gradients: d · conj(w z^(w − 1)), 0 where w is, and
 * d · conj(z^w ln z), 0 where z is and w is real and not negative. `lowered` is w − 1 as PyTorch has it.
 */
export function power(
  emit: Emitter,
  z: Value,
  w: Value,
  lowered = (_: Emit, lower: Value): Value => lower,
): Value {
  const made = emit.grouped(
    [z, w],
    () => [powerOf(emit, z, w)],
    (backward, [d]) => {
      if (!d) return [null, null];
      const zero = backward.scalar(0, z.dtype);
      const along = (slope: Value) => times(backward, d, conjugate(backward, slope));
      const lower = backward.op("Sub", [w, realNumber(backward, w, 1)]);
      const less = powerOf(backward, z, lowered(backward, lower));
      const [re, im] = parts(backward, w);
      const isReal = backward.op("Equal", [im, zero]);
      const isNotNegative = backward.op("GreaterOrEqual", [re, zero]);
      const vanishes = [isZero(backward, z), isReal, isNotNegative].reduce((x, y) =>
        backward.op("And", [x, y]),
      );
      const byPower = times(backward, made[0] as Value, log(backward, z));
      return [
        chosen(backward, isZero(backward, w), zero, along(times(backward, w, less))),
        along(chosen(backward, vanishes, zero, byPower)),
      ];
    },
  );
  return made[0] as Value;
}

/** Of 0 it is 0 where w has a positive real part, ∞ where that is negative, and else no number. */
function powerOf(emit: Emit, z: Value, w: Value): Value {
  const zero = emit.scalar(0, z.dtype);
  const [re] = parts(emit, w);
  const nan = Number.NaN;
  const number = (x: number) =>
    emit.constant({ dtype: z.dtype, shape: [2], data: pairOf(z, x, x === 0 ? 0 : nan) });
  const isNegative = emit.op("Less", [re, zero]);
  const other = chosen(emit, isNegative, number(Number.POSITIVE_INFINITY), number(nan));
  const ofZero = chosen(emit, emit.op("Greater", [re, zero]), number(0), other);
  return chosen(emit, isZero(emit, z), ofZero, exp(emit, times(emit, w, log(emit, z))));
}

function isZero(emit: Emit, z: Value): Value {
  const [re, im] = parts(emit, z).map((x) => emit.op("Equal", [x, emit.scalar(0, x.dtype)])) as [
    Value,
    Value,
  ];
  return emit.op("And", [re, im]);
}

/** Of pairs, by a truth for each. */
const chosen = (emit: Emit, truths: Value, a: Value, b: Value): Value =>
  emit.op("Where", [emit.op("Unsqueeze", [truths, emit.ints([truths.shape.length])]), a, b]);
