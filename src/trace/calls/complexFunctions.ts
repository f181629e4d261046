/** Functions of complex values, held as pairs on the last axis. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { reshapeTo } from "../../ops/write.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { complexDivide, complexMultiply, conjugate, pair, parts } from "./complexNumbers.ts";
import { narrowed } from "./narrowed.ts";

/** |z|; its gradient at 0 is 0. */
export const modulus = (emit: Emit, z: Value): Value =>
  emit.op("ReduceL2", [z, emit.ints([z.shape.length - 1])], { keepdims: 0 });

/**
 * The angle of (x, y), in (−π, π]: dy · x / r² and −dx · y / r², 0 at the origin. ONNX has the
 * arctangent of one number only.
 */
export function angleOf(emit: Emitter, y: Value, x: Value): Value {
  const made = emit.grouped(
    [y, x],
    () => [angleFrom(emit, y, x)],
    (backward, [d]) => {
      if (!d) return [null, null];
      const squares = [backward.op("Mul", [x, x]), backward.op("Mul", [y, y])];
      const norm = backward.op("Add", squares);
      const zero = backward.scalar(0, d.dtype);
      const ratio = backward.op("Div", [d, norm]);
      const isOrigin = backward.op("Equal", [norm, zero]);
      const slope = backward.op("Where", [isOrigin, zero, ratio]);
      const dx = backward.op("Neg", [backward.op("Mul", [slope, y])]);
      return [backward.op("Mul", [slope, x]), dx];
    },
  );
  return made[0] as Value;
}

function angleFrom(emit: Emit, y: Value, x: Value): Value {
  const zero = emit.scalar(0, x.dtype);
  const isOrigin = emit.op("And", [emit.op("Equal", [x, zero]), emit.op("Equal", [y, zero])]);
  const arc = emit.op("Where", [isOrigin, y, narrowed(emit, "Atan", emit.op("Div", [y, x]))]);
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
  const r = reshapeTo(emit, modulus(emit, z), [...z.shape.slice(0, -1), 1]);
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

function exp(emit: Emitter, z: Value): Value {
  const [a, b] = parts(emit, z);
  return fromPolar(emit, emit.op("Exp", [a]), b);
}

const log = (emit: Emitter, z: Value): Value =>
  pair(emit, emit.op("Log", [modulus(emit, z)]), angle(emit, z));

function scaledBy(emit: Emit, z: Value, factor: number): Value {
  return emit.op("Mul", [z, emit.scalar(factor, z.dtype)]);
}

/** z^n for a real n, by its angle. */
export function realPower(emit: Emitter, z: Value, n: number): Value {
  const r = emit.op("Pow", [modulus(emit, z), emit.scalar(n, z.dtype)]);
  return fromPolar(emit, r, scaledBy(emit, angle(emit, z), n));
}

/** z^w = e^(w · ln z) */
export const power = (emit: Emitter, z: Value, w: Value): Value =>
  exp(emit, complexMultiply(emit, w, log(emit, z)));

/** conj(z) / |z|² */
function reciprocal(emit: Emit, z: Value): Value {
  const squares = emit.op("ReduceSumSquare", [z, emit.ints([z.shape.length - 1])], { keepdims: 1 });
  return emit.op("Div", [conjugate(emit, z), squares]);
}

/** [even(a) · f(b), odd(a) · g(b)]: what sines and cosines of a + bi are made of. */
const crossed =
  (names: readonly [string, string, string, string], sign: 1 | -1) =>
  (emit: Emitter, z: Value): Value => {
    const [a, b] = parts(emit, z);
    const [re1, re2, im1, im2] = names;
    const f = (name: string, x: Value) => narrowed(emit, name, x);
    const re = emit.op("Mul", [f(re1, a), f(re2, b)]);
    const im = emit.op("Mul", [f(im1, a), f(im2, b)]);
    return pair(emit, re, sign === 1 ? im : emit.op("Neg", [im]));
  };

const sin = crossed(["Sin", "Cosh", "Cos", "Sinh"], 1);
const cos = crossed(["Cos", "Cosh", "Sin", "Sinh"], -1);
const sinh = crossed(["Sinh", "Cos", "Cosh", "Sin"], 1);
const cosh = crossed(["Cosh", "Cos", "Sinh", "Sin"], 1);

/** 1 / (1 + e^−z) */
function sigmoid(emit: Emitter, z: Value): Value {
  const one = emit.constant({ dtype: z.dtype, shape: [2], data: pairOf(z, 1, 0) });
  return reciprocal(emit, emit.op("Add", [exp(emit, emit.op("Neg", [z])), one]));
}

/** By PyTorch's name. */
const functions: Readonly<Record<string, (emit: Emitter, z: Value) => Value>> = {
  exp,
  log,
  log2: (emit, z) => scaledBy(emit, log(emit, z), 1 / Math.LN2),
  log10: (emit, z) => scaledBy(emit, log(emit, z), 1 / Math.LN10),
  sqrt: (emit, z) => realPower(emit, z, 0.5),
  rsqrt: (emit, z) => realPower(emit, z, -0.5),
  reciprocal,
  square: (emit, z) => complexMultiply(emit, z, z),
  sin,
  cos,
  sinh,
  cosh,
  tan: (emit, z) => complexDivide(emit, sin(emit, z), cos(emit, z)),
  tanh: (emit, z) => complexDivide(emit, sinh(emit, z), cosh(emit, z)),
  sigmoid,
  neg: (emit, z) => emit.op("Neg", [z]),
};

/** The function of PyTorch's name. */
export function onPairs(emit: Emitter, name: string, z: Value): Value {
  if (name === "sign")
    throw torchError(
      "NotImplementedError",
      "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
    );
  const write = functions[name];
  if (!write) leaveToPython();
  return write(emit, z);
}
