/** Arithmetic with two operands and PyTorch's type promotion. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { broadcastShapes } from "../../ops/shapes.ts";
import { asAddend, castTo, selected, truncated } from "../../ops/write.ts";
import type { FillEdit } from "../../random/generator.ts";
import {
  isScalar,
  isTensor,
  operand,
  optional,
  type Scalar,
  scalar,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import {
  differenceOfTruths,
  isWhole,
  kindOf,
  refuseComplexHalf,
  refuseFactor,
  refuseKinds,
  refuseOverflow,
  truthDifference,
} from "../kernels.ts";
import { heldAs, isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { heldBy, rounded, roundedBack, roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { numberPower, power } from "./complexFunctions.ts";
import { complexMultiply, complexQuotient } from "./complexNumbers.ts";
import { inversePower, rootPower } from "./curves.ts";
import { underivable, withoutSlope } from "./derivatives.ts";
import { powerByNumber, powerOfNumber, powerOfTensors } from "./halfPowers.ts";
import { inSteps, productOf } from "./kernelSlopes.ts";
import { floorOf, withoutZeros } from "./remainders.ts";
import { type Held, inTypedSteps, resultOf, typedCall } from "./typedKernels.ts";
import { leftOver, stepBytes } from "./vectorLoops.ts";

type Operand = Tensor | Scalar;

const one: Scalar = { kind: "int", value: 1 };
export const alpha = withDefault(scalar, one);

type Edited = "add" | "sub" | "mul" | "div";

/** An edit by a real number, as float32 rounds it before it computes. */
function byNumber(op: Edited, input: Operand, other: Operand): FillEdit | null {
  if (!isTensor(input) || !isScalar(other) || other.kind === "complex") return null;
  return { op, by: input.dtype === "float64" ? other.value : Math.fround(other.value) };
}

/** Both operands in their common type. */
export function both(ctx: CallContext, a: Operand, b: Operand, type: TorchType): [Value, Value] {
  return [ctx.as(a, type), ctx.as(b, type)];
}

export const isOne = (x: Scalar): boolean => x.value === 1 && !x.imaginary;

export function scaledBy(ctx: CallContext, x: Value, factor: Scalar, type: TorchType): Value {
  refuseOverflow(factor, roundsSteps(type) ? "float32" : type);
  // Times 1 + 0i an infinite part leaves none to the other.
  return isOne(factor) && !isComplexType(type) ? x : times(ctx, x, ctx.as(factor, type), type);
}

export function times(ctx: CallContext, x: Value, y: Value, type: TorchType): Value {
  return isComplexType(type) ? complexMultiply(ctx.emit, x, y) : ctx.emit.op("Mul", [x, y]);
}

export const typed = (value: Value, as: TorchType): Typed => ({ typed: value, as });

function addition(
  ctx: CallContext,
  a: Operand,
  b: Operand,
  factor: Scalar,
  op: "Add" | "Sub",
): Typed {
  refuseComplexHalf("add_stub", [a, b]);
  const type = ctx.promote(a, b);
  if (type === "bool" && op === "Sub") throw differenceOfTruths();
  if (op === "Sub" && [a, b].some(isTruth)) throw truthDifference();
  refuseFactor(factor, type);
  if (type === "bool") {
    const [x, y] = both(ctx, a, b, type);
    const other = isOne(factor) ? y : ctx.emit.op("And", [y, ctx.as(factor, type)]);
    return typed(ctx.emit.op("Or", [x, other]), type);
  }
  const [x, y] = [a, b].map((side) => heldBy(ctx, side, type)) as [Value, Value];
  if (isOne(factor))
    return typed(isComplexType(type) ? complexSum(ctx, op, x, y) : ctx.emit.op(op, [x, y]), type);
  const by = op === "Add" ? factor.value : -factor.value;
  const sum = inSteps(
    ctx.emit,
    resultOf(ctx, a, type),
    [x, y],
    () => ctx.emit.op(op, [x, scaledAddend(ctx, op, [a, b], [x, y], factor, type)]),
    (kernels, d) => [d, kernels.op("Mul", d, by)],
  );
  return typed(sum, type);
}

/** x ± y · (1 + 0i), whose gradients are d and ±d. */
function complexSum({ emit }: CallContext, op: "Add" | "Sub", x: Value, y: Value): Value {
  const [sum] = emit.grouped(
    [x, y],
    () => [emit.op(op, [x, asAddend(emit, y)])],
    (backward, [d]) => (d ? [d, op === "Add" ? d : backward.op("Neg", [d])] : [null, null]),
  );
  return sum as Value;
}

/** y · factor, which half precision rounds in the elements that are computed one by one. */
function scaledAddend(
  ctx: CallContext,
  op: "Add" | "Sub",
  operands: readonly Operand[],
  [x, y]: readonly [Value, Value],
  factor: Scalar,
  type: TorchType,
): Value {
  const { emit } = ctx;
  const product = times(ctx, y, heldBy(ctx, factor, type), type);
  if (!roundsSteps(type)) return product;
  const shape = broadcastShapes(op, x.shape, y.shape);
  const left = leftOver(emit, operands, shape, type, stepBytes.select);
  return left ? emit.op("Where", [left, rounded(emit, product, type), product]) : product;
}

const isTruth = (x: Operand): boolean => (isTensor(x) ? x.dtype : x.kind) === "bool";

export const add = torchCall({
  name: "add",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand, alpha },
  inPlace: true,
  keepsMask: true,
  fillEdit: ({ input, other, alpha }) => (alpha.value === 1 ? byNumber("add", input, other) : null),
  build: (ctx, { input, other, alpha }) => addition(ctx, input, other, alpha, "Add"),
});

export const sub = torchCall({
  name: "sub",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand, alpha },
  inPlace: true,
  keepsMask: true,
  fillEdit: ({ input, other, alpha }) => (alpha.value === 1 ? byNumber("sub", input, other) : null),
  build: (ctx, { input, other, alpha }) => addition(ctx, input, other, alpha, "Sub"),
});

/** other − input · alpha: what `number - tensor` calls. */
export const rsub = torchCall({
  name: "rsub",
  in: ["torch"],
  params: { input: operand, other: operand, alpha },
  build: (ctx, { input, other, alpha }) => addition(ctx, other, input, alpha, "Sub"),
});

function product(ctx: CallContext, a: Operand, b: Operand): Typed {
  refuseComplexHalf("mul_cpu", [a, b]);
  const type = ctx.promote(a, b);
  const [x, given] = [heldBy(ctx, a, type), ctx.as(b, type)];
  if (type === "bool") return typed(ctx.emit.op("And", [x, given]), type);
  const steps = resultOf(ctx, a, type);
  const y = steps === type ? given : roundedBack(ctx.emit, given, steps);
  const make = () => times(ctx, x, y, type);
  return typed(productOf(ctx.emit, x, y, steps, make), type);
}

export const mul = torchCall({
  name: "mul",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand },
  inPlace: true,
  saves: ["input", "other"],
  savesForOthers: true,
  fillEdit: ({ input, other }) => byNumber("mul", input, other),
  build: (ctx, { input, other }) => product(ctx, input, other),
});

export const multiply = torchCall({ ...mul, name: "multiply" });

function quotient(ctx: CallContext, a: Operand, b: Operand, mode: string | null): Typed {
  const { emit } = ctx;
  if (mode === null) {
    refuseComplexHalf("div_cpu", [a, b], ["bfloat16", "float16"]);
    const type = ctx.promoteToFloat(a, b);
    const [x, y] = [isTensor(a) ? heldBy(ctx, a, type) : ctx.as(a, type), ctx.as(b, type)];
    if (isComplexType(type)) return typed(complexQuotient(emit, x, y), type);
    const divided = () => emit.op("Div", [x, y]);
    if (!isTensor(b)) return typed(divided(), type);
    const value = inTypedSteps(
      typedCall(ctx, [a, b], [x, y], type),
      divided,
      ({ op }, d, sides) => {
        const [above, below] = sides as [Held, Held];
        const share = op("Div", op("Div", above, below), below);
        return [op("Div", d, below), op("Mul", op("Neg", d), share)];
      },
    );
    return typed(value, type);
  }
  const type = ctx.promote(a, b);
  refuseKinds(`div_${mode}_cpu`, type, ["bool", "complex"]);
  const [x, divisor] = [heldBy(ctx, a, type), ctx.as(b, type)];
  if (isFloat(heldAs(type).dtype)) {
    const whole = () =>
      mode === "floor" ? floorOf(emit, x, divisor) : truncated(emit, emit.op("Div", [x, divisor]));
    return typed(withoutSlope(emit, [x, divisor], whole), type);
  }
  const y = withoutZeros(ctx, a, b, divisor);
  // ONNX divides integers towards zero.
  const quotient = emit.op("Div", [x, y]);
  if (mode === "trunc") return typed(quotient, type);
  const rest = emit.op("Sub", [x, emit.op("Mul", [quotient, y])]);
  const zero = emit.scalar(0, x.dtype);
  const inexact = emit.op("Not", [emit.op("Equal", [rest, zero])]);
  const signsDiffer = emit.op("Xor", [emit.op("Less", [rest, zero]), emit.op("Less", [y, zero])]);
  const lower = emit.op("Cast", [emit.op("And", [inexact, signsDiffer])], { to: x.dtype });
  return typed(emit.op("Sub", [quotient, lower]), type);
}

export const div = torchCall({
  name: "div",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand, rounding_mode: optional(text) },
  inPlace: true,
  fillEdit: ({ input, other, rounding_mode }) =>
    rounding_mode === null ? byNumber("div", input, other) : null,
  savesFor: { input: ["other"], other: ["input", "other"] },
  build: (ctx, { input, other, rounding_mode }) => quotient(ctx, input, other, rounding_mode),
});

export const divide = torchCall({ ...div, name: "divide" });
export const trueDivide = torchCall({
  name: "true_divide",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand },
  inPlace: true,
  savesFor: { input: ["other"], other: ["input", "other"] },
  build: (ctx, { input, other }) => quotient(ctx, input, other, null),
});

export const floorDivide = torchCall({
  name: "floor_divide",
  in: ["torch", "Tensor"],
  params: { input: operand, other: operand },
  inPlace: true,
  build: (ctx, { input, other }) => {
    const { typed: value, as } = quotient(ctx, input, other, "floor");
    if (!value.requiresGrad) return typed(value, as);
    const refuse = (): never => {
      throw torchError("RuntimeError", "derivative for aten::floor_divide is not implemented");
    };
    const [made] = ctx.emit.grouped([value], () => [ctx.emit.op("Identity", [value])], refuse);
    return typed(made as Value, as);
  },
});

export const pow = torchCall({
  name: "pow",
  in: ["torch", "Tensor"],
  params: { input: operand, exponent: operand },
  inPlace: true,
  saves: ({ exponent }) => (isTensor(exponent) ? ["input", "exponent", "result"] : ["input"]),
  build: (ctx, { input, exponent }) => {
    const { emit } = ctx;
    refuseComplexHalf("pow", [input, exponent], ["bfloat16", "float16"]);
    const type = ctx.promote(input, exponent);
    if (isScalar(input) && input.kind === "bool" && input.value === 0 && kindOf(type) === "float")
      return powerOfFalse(ctx, exponent as Tensor, type);
    const x = ctx.as(input, type);
    const number = isScalar(exponent) && exponent.kind !== "complex" ? exponent.value : null;
    if (number !== null && number < 0 && ["bool", "integer"].includes(kindOf(type)))
      throw torchError("RuntimeError", "Integers to negative integer powers are not allowed.");
    if (isScalar(exponent) && (isWhole(type) || roundsSteps(type))) refuseOverflow(exponent, type);
    if (isComplexType(type)) {
      const value =
        number === null
          ? power(emit, x, ctx.as(exponent, type), lowerExponent(exponent))
          : numberPower(emit, x, number);
      return typed(withoutTruths(ctx, value, input, exponent), type);
    }
    if (type === "bool" && number !== null && isTensor(input))
      return typed(
        number === 1 ? emit.op("Identity", [x]) : emit.op("Or", [x, emit.op("Not", [x])]),
        type,
      );
    refuseKinds("pow", type, ["bool"]);
    if (roundsSteps(type)) {
      const value = powerInHalf(ctx, input, exponent, type);
      return typed(withoutTruths(ctx, value, input, exponent), type);
    }
    if (number === 2 && isTensor(input)) return typed(emit.op("Mul", [x, x]), type);
    if (number === 1) return typed(emit.op("Identity", [x]), type);
    if (number === 0.5) return typed(rootPower(emit, x), type);
    if (number === -1 && isFloat(x.dtype)) return typed(inversePower(emit, x), type);
    if (number === 3)
      return typed(emit.op("Mul", [rounded(emit, emit.op("Mul", [x, x]), type), x]), type);
    const e = ctx.as(exponent, type);
    if (!isFloat(x.dtype))
      return typed(number ? repeated(emit, x, number) : integerPower(emit, x, e), type);
    const bases = [input, exponent].filter(isTensor);
    const value =
      isTensor(input) && isTensor(exponent)
        ? powerOfTensors(ctx, input, exponent, type)
        : emit.op("Pow", [x, e]);
    return typed(bases.some(isTruth) ? withoutTruths(ctx, value, input, exponent) : value, type);
  },
});

/** 0^x, whose gradient PyTorch does not set to 0 where the base is no number but False. */
function powerOfFalse(ctx: CallContext, exponent: Tensor, type: TorchType): Typed {
  const { emit } = ctx;
  const x = heldBy(ctx, exponent, type);
  const slope = (to: Emit, made: Value) =>
    to.op("Mul", [made, to.scalar(Number.NEGATIVE_INFINITY, made.dtype)]);
  const [made] = emit.grouped(
    [x],
    () => [emit.op("Pow", [emit.scalar(0, x.dtype), x])],
    (backward, [d]) => [d ? backward.op("Mul", [d, slope(backward, made as Value)]) : null],
  );
  return typed(made as Value, type);
}

/** The exponent less 1, in the type of the exponent itself. */
const lowerExponent =
  (exponent: Operand) =>
  (emit: Emit, lower: Value): Value =>
    isTensor(exponent) ? rounded(emit, lower, typeOf(exponent)) : lower;

function powerInHalf(ctx: CallContext, base: Operand, exponent: Operand, type: TorchType): Value {
  const x = heldBy(ctx, base, type);
  if (!isTensor(exponent)) return powerByNumber(ctx.emit, x, exponent.value, type);
  if (isTensor(base)) return powerOfTensors(ctx, base, exponent, type);
  return powerOfNumber(ctx.emit, x, base.value, heldBy(ctx, exponent, type), type);
}

/** 1 / x^|e| without its fraction where e is negative: 0, but for 1 and −1. */
function integerPower(emit: CallContext["emit"], x: Value, e: Value): Value {
  const scalar = (n: number) => emit.scalar(n, x.dtype);
  if (x.dtype === "uint8") return powerBySquares(emit, x, e);
  const isNegative = emit.op("Less", [e, scalar(0)]);
  const size = emit.op("Abs", [e]);
  const isUnit = emit.op("Equal", [emit.op("Abs", [x]), scalar(1)]);
  const vanishes = emit.op("And", [isNegative, emit.op("Not", [isUnit])]);
  return selected(emit, vanishes, scalar(0), powerBySquares(emit, x, size));
}

/** x^count of integers, which wraps in their type. */
function repeated(emit: CallContext["emit"], x: Value, count: number): Value {
  const times = (a: Value, b: Value) => emit.op("Mul", [a, b]);
  let power: Value | null = null;
  let square = castTo(emit, x, "int64");
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = power === null ? square : times(power, square);
    if (left > 1) square = times(square, square);
  }
  return castTo(emit, power as Value, x.dtype);
}

/** x^e in x's own type, where it wraps, for e from 0: by the binary digits of e. */
function powerBySquares(emit: CallContext["emit"], x: Value, e: Value): Value {
  const exponent = castTo(emit, e, "int64");
  const one = emit.scalar(1, "int64");
  let [power, square] = [one, castTo(emit, x, "int64")];
  for (let digit = 0; digit < exponentDigits; digit++) {
    const shifted = emit.op("Div", [exponent, emit.scalar(2 ** digit, "int64")]);
    const isSet = emit.op("Equal", [emit.op("Mod", [shifted, emit.scalar(2, "int64")]), one]);
    power = emit.op("Mul", [power, emit.op("Where", [isSet, square, one])]);
    square = emit.op("Mul", [square, square]);
  }
  return castTo(emit, power, x.dtype);
}

/** Binary digits of an exponent that are looked at: up to 65,535. */
const exponentDigits = 16;

/** PyTorch's gradient by the base takes 1 from the exponent, which a truth does not let it. */
function withoutTruths(ctx: CallContext, value: Value, base: Operand, exponent: Operand): Value {
  if (!isTensor(base) || !isTensor(exponent) || !isTruth(exponent)) return value;
  return underivable(ctx.emit, value, [ctx.store.read(base)], truthDifference());
}
