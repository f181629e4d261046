/**
 * Gradients in half precision, where PyTorch rounds what each of its kernels gives: the formulas of
 * its derivatives.yaml, step by step.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { sameShape } from "../../graph/tensor.ts";
import type { CallContext } from "../call.ts";
import type { TorchType } from "../promotion.ts";
import { inKernels, numberOf, rounded, roundsSteps } from "../rounding.ts";

type Operand = Value | number;

export interface Kernels {
  /** A kernel of one ONNX operator. */
  op(name: string, ...inputs: readonly Operand[]): Value;
  /** A kernel of several: only what it gives is rounded. */
  whole(write: (emit: Emit) => Value): Value;
  /** x^n by a number. */
  power(x: Value, exponent: number): Value;
}

export type Slopes = (
  kernels: Kernels,
  d: Value,
  inputs: readonly Value[],
  y: Value,
) => readonly (Value | null)[];

export function kernelsOf(emit: Emit, type: TorchType): Kernels {
  const step = inKernels(emit, type);
  const whole = (write: (emit: Emit) => Value) => rounded(emit, write(emit), type);
  return {
    op: (name, ...inputs) => {
      const { dtype } = inputs.findLast((x) => typeof x !== "number") as Value;
      const given = inputs.map((x) => (typeof x === "number" ? emit.scalar(x, dtype) : x));
      return step.op(name, given);
    },
    whole,
    power: (x, exponent) => whole((to) => powerInHalf(to, x, exponent, type)),
  };
}

/**
 * x^exponent of half precision, not rounded yet. The exponent is rounded to the type; bfloat16 has
 * kernels for some whole exponents, and rounds between their products.
 */
export function powerInHalf(emit: Emit, x: Value, exponent: number, type: TorchType): Value {
  const square = () => emit.op("Mul", [x, x]);
  const between = (value: Value) => (type === "bfloat16" ? rounded(emit, value, type) : value);
  if (exponent === 0) return emit.op("Pow", [x, emit.scalar(0, x.dtype)]);
  if (exponent === 1) return x;
  if (exponent === 2) return square();
  if (exponent === 3) return emit.op("Mul", [between(square()), x]);
  if (exponent === -2) return emit.op("Reciprocal", [between(square())]);
  if (exponent === -1) return emit.op("Reciprocal", [x]);
  if (exponent === 0.5) return emit.op("Sqrt", [x]);
  return emit.op("Pow", [x, numberOf(emit, exponent, type)]);
}

/** What `make` writes; in half precision its gradient is that of `slopes`. */
export function inSteps(
  emit: CallContext["emit"],
  type: TorchType,
  inputs: readonly Value[],
  make: () => Value,
  slopes: Slopes | undefined,
): Value {
  if (slopes === undefined || !roundsSteps(type)) return make();
  const made = emit.grouped(
    inputs,
    () => [make()],
    (backward, [given]) => {
      if (!given) return inputs.map(() => null);
      const [d, y] = [given, made[0] as Value].map((value) => rounded(backward, value, type));
      return slopes(kernelsOf(backward, type), d as Value, inputs, y as Value);
    },
  );
  return made[0] as Value;
}

type Slope = (kernels: Kernels, d: Value, x: Value, y: Value) => Value;

const rsqrt = ({ whole }: Kernels, x: Value): Value =>
  whole((emit) => emit.op("Reciprocal", [emit.op("Sqrt", [x])]));

/** d / (x · rate) */
const overRate =
  (rate: number): Slope =>
  ({ op }, d, x) =>
    op("Div", d, op("Mul", x, rate));

/** 1 − x², which PyTorch writes as −x · x + 1. */
const restOfSquare = ({ op }: Kernels, x: Value): Value => op("Add", op("Mul", op("Neg", x), x), 1);

/** Of functions of one number, by the name of the call. */
const byName: Readonly<Record<string, Slope>> = {
  acos: (k, d, x) => k.op("Mul", d, k.op("Neg", rsqrt(k, restOfSquare(k, x)))),
  acosh: (k, d, x) => k.op("Mul", d, rsqrt(k, k.op("Sub", k.op("Mul", x, x), 1))),
  asin: (k, d, x) => k.op("Mul", d, rsqrt(k, restOfSquare(k, x))),
  asinh: (k, d, x) => k.op("Mul", d, rsqrt(k, k.op("Add", k.op("Mul", x, x), 1))),
  atan: ({ op }, d, x) => op("Div", d, op("Add", op("Mul", x, x), 1)),
  atanh: ({ op }, d, x) => op("Div", d, op("Sub", 1, op("Mul", x, x))),
  cos: ({ op }, d, x) => op("Mul", d, op("Neg", op("Sin", x))),
  cosh: ({ op }, d, x) => op("Mul", d, op("Sinh", x)),
  erf: ({ op }, d, x) => {
    const bell = op("Exp", op("Neg", op("Mul", x, x)));
    return op("Mul", op("Mul", bell, 2 / Math.sqrt(Math.PI)), d);
  },
  exp2: ({ op }, d, _x, y) => op("Mul", op("Mul", d, y), Math.LN2),
  expm1: ({ op }, d, _x, y) => op("Mul", d, op("Add", y, 1)),
  log10: overRate(Math.LN10),
  log1p: ({ op }, d, x) => op("Div", d, op("Add", x, 1)),
  log2: overRate(Math.LN2),
  reciprocal: ({ op }, d, _x, y) => op("Mul", op("Neg", d), op("Mul", y, y)),
  rsqrt: ({ op, power }, d, _x, y) => op("Mul", op("Mul", d, -0.5), power(y, 3)),
  sin: ({ op }, d, x) => op("Mul", d, op("Cos", x)),
  sinh: ({ op }, d, x) => op("Mul", d, op("Cosh", x)),
  tan: ({ op }, d, _x, y) => op("Mul", d, op("Add", op("Mul", y, y), 1)),
};

/** The slopes of a function of one number that PyTorch writes of several kernels. */
export const slopesNamed = (name: string): Slopes | undefined => {
  const slope = byName[name];
  return slope && ((kernels, d, [x], y) => [slope(kernels, d, x as Value, y)]);
};

/** x · y, whose gradients PyTorch rounds before it sums those of what is spread. */
export const productOf = (
  emit: CallContext["emit"],
  x: Value,
  y: Value,
  type: TorchType,
  make = () => emit.op("Mul", [x, y]),
): Value =>
  sameShape(x.shape, y.shape)
    ? make()
    : inSteps(emit, type, [x, y], make, ({ op }, d) => [op("Mul", d, y), op("Mul", d, x)]);

/** x / y, which has −d · ((x / y) / y) for y's gradient. */
export const quotientOf = (emit: CallContext["emit"], x: Value, y: Value, type: TorchType): Value =>
  inSteps(
    emit,
    type,
    [x, y],
    () => emit.op("Div", [x, y]),
    ({ op }, d) => [op("Div", d, y), op("Mul", op("Neg", d), op("Div", op("Div", x, y), y))],
  );
