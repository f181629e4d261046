/** Comparisons, logic, and choosing by a mask. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { bytesOf, type DType, isFloat } from "../../graph/tensor.ts";
import { broadcastShapes } from "../../ops/shapes.ts";
import { castTo, expandTo, selected } from "../../ops/write.ts";
import { isTensor, operand, optional, type Scalar, tensor } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { heldBy } from "../rounding.ts";
import { repeatedAxes, type Tensor } from "../tensor.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { parts } from "./complexNumbers.ts";
import { holding } from "./create.ts";
import { besideComplex, unreached } from "./derivatives.ts";
import { refuseFiller } from "./fillers.ts";
import { nativeName } from "./matmulErrors.ts";
import { placesPerAxis } from "./select.ts";

const both = ["torch", "Tensor"] as const;
type Operand = Tensor | Scalar;

/** ONNX compares booleans only for equality. */
function comparable(ctx: CallContext, a: Operand, b: Operand): [Value, Value] {
  const type = ctx.promote(a, b);
  if (isComplexType(type)) leaveToPython();
  const x = heldBy(ctx, a, type);
  const y = heldBy(ctx, b, type);
  if (x.dtype !== "bool") return [x, y];
  const toInt = (value: Value) => ctx.emit.op("Cast", [value], { to: "int32" });
  return [toInt(x), toInt(y)];
}

function comparison(name: string, write: (ctx: CallContext, x: Value, y: Value) => Value) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, other: operand },
    inPlace: true,
    follows: "all",
    moves: true,
    build: (ctx, { input, other }) =>
      inTypeOf(ctx, input, other, write(ctx, ...comparable(ctx, input, other))),
  });
}

const onnx = (op: string) => (ctx: CallContext, x: Value, y: Value) => ctx.emit.op(op, [x, y]);

/** Complex numbers are equal where both parts are; they have no order. */
function equality(name: string, negated: boolean) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, other: operand },
    inPlace: true,
    follows: "all",
    moves: true,
    build: (ctx, { input, other }) => {
      const { emit } = ctx;
      const type = ctx.promote(input, other);
      const equal = isComplexType(type)
        ? bothEqual(ctx, parts(emit, ctx.as(input, type)), parts(emit, ctx.as(other, type)))
        : emit.op("Equal", comparable(ctx, input, other));
      return inTypeOf(ctx, input, other, negated ? emit.op("Not", [equal]) : equal);
    },
  });
}

/** In place the truths take the tensor's type, and are in PyTorch's graph, without a gradient. */
function inTypeOf(ctx: CallContext, input: Operand, other: Operand, truths: Value): Result {
  if (!ctx.inPlace || !isTensor(input)) return truths;
  const from = [input, other].filter(isTensor).map((one) => ctx.store.read(one));
  const typed = castTo(ctx.emit, truths, input.dtype);
  if (!isFloat(input.dtype)) return truths;
  return { typed: from.reduce((x, one) => unreached(ctx.emit, x, one), typed), as: input.dtype };
}

const bothEqual = (ctx: CallContext, x: readonly [Value, Value], y: readonly [Value, Value]) =>
  ctx.emit.op("And", [ctx.emit.op("Equal", [x[0], y[0]]), ctx.emit.op("Equal", [x[1], y[1]])]);

export const eq = equality("eq", false);
export const ne = equality("ne", true);
export const lt = comparison("lt", onnx("Less"));
export const le = comparison("le", onnx("LessOrEqual"));
export const gt = comparison("gt", onnx("Greater"));
export const ge = comparison("ge", onnx("GreaterOrEqual"));
export const notEqual = torchCall({ ...ne, name: "not_equal" });
export const less = torchCall({ ...lt, name: "less" });
export const lessEqual = torchCall({ ...le, name: "less_equal" });
export const greater = torchCall({ ...gt, name: "greater" });
export const greaterEqual = torchCall({ ...ge, name: "greater_equal" });

function truth(ctx: CallContext, x: Operand): Value {
  if (isTensor(x) && x.isComplex) return ctx.store.read(holding(ctx, x));
  return ctx.as(isTensor(x) ? x : { kind: "bool", value: x.value ? 1 : 0 }, "bool");
}

function logical(name: string, op: string) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, other: tensor },
    inPlace: true,
    follows: "nothing",
    moves: true,
    build: (ctx, { input, other }) => ctx.emit.op(op, [truth(ctx, input), truth(ctx, other)]),
  });
}

export const logicalAnd = logical("logical_and", "And");
export const logicalOr = logical("logical_or", "Or");
export const logicalXor = logical("logical_xor", "Xor");
export const logicalNot = torchCall({
  name: "logical_not",
  in: both,
  params: { input: tensor },
  inPlace: true,
  follows: "nothing",
  moves: true,
  build: (ctx, { input }) => ctx.emit.op("Not", [truth(ctx, input)]),
});

/** Logic on booleans, bits on integers. */
function bitwise(name: string, onBool: string, onBits: string) {
  return torchCall({
    name,
    in: both,
    params: { input: operand, other: operand },
    inPlace: true,
    moves: true,
    build: (ctx, { input, other }) => {
      const type = ctx.promote(input, other);
      if (isComplexType(type) || isFloat(type))
        throw torchError("RuntimeError", `"${name}_cpu" not implemented for '${type}'`);
      const inputs = [ctx.as(input, type), ctx.as(other, type)];
      return { typed: ctx.emit.op(type === "bool" ? onBool : onBits, inputs), as: type };
    },
  });
}

export const bitwiseAnd = bitwise("bitwise_and", "And", "BitwiseAnd");
export const bitwiseOr = bitwise("bitwise_or", "Or", "BitwiseOr");
export const bitwiseXor = bitwise("bitwise_xor", "Xor", "BitwiseXor");
export const bitwiseNot = torchCall({
  name: "bitwise_not",
  in: both,
  params: { input: tensor },
  inPlace: true,
  moves: true,
  build: (ctx, { input }) => {
    refuseKinds("bitwise_not_cpu", typeOf(input), ["float", "complex"]);
    return ctx.emit.op(input.dtype === "bool" ? "Not" : "BitwiseNot", [ctx.store.read(input)]);
  },
});

/**
 * Shifts of integers, as multiplication and floor division by powers of two. A count that the type has
 * no bit for, or a negative one, shifts everything out: 0 is left, of a shift to the right the sign.
 */
function shift(name: string, op: "Mul" | "Div") {
  return torchCall({
    name,
    in: both,
    params: { input: operand, other: operand },
    inPlace: true,
    moves: true,
    build: (ctx, { input, other }) => {
      const { emit } = ctx;
      const type = ctx.promote(input, other);
      refuseKinds(op === "Mul" ? "lshift_cpu" : "rshift_cpu", type, ["bool", "float", "complex"]);
      const [x, count] = [input, other].map((side) =>
        castTo(emit, ctx.as(side, type), "int64"),
      ) as [Value, Value];
      const places = 8 * bytesOf[type as DType];
      const atLeast = (limit: number) =>
        emit.op("GreaterOrEqual", [count, emit.scalar(limit, "int64")]);
      const isWithin = emit.op("And", [atLeast(0), emit.op("Not", [atLeast(places)])]);
      const kept = emit.op("Where", [isWithin, count, emit.scalar(0, "int64")]);
      const by = emit.op("Pow", [emit.scalar(2, "float64"), castTo(emit, kept, "float64")]);
      const zero = emit.scalar(0, "int64");
      if (op === "Mul") {
        // What leaves the type on the left is lost.
        const shifted = emit.op("Mul", [x, castTo(emit, by, "int64")]);
        return { typed: emit.op("Where", [isWithin, shifted, zero]), as: type };
      }
      const shifted = castTo(
        emit,
        emit.op("Floor", [emit.op("Div", [castTo(emit, x, "float64"), by])]),
        "int64",
      );
      const sign = castTo(emit, emit.op("Less", [x, zero]), "int64");
      return {
        typed: emit.op("Where", [isWithin, shifted, emit.op("Neg", [sign])]),
        as: type,
      };
    },
  });
}
export const leftShift = shift("bitwise_left_shift", "Mul");
export const rightShift = shift("bitwise_right_shift", "Div");

function inspection(
  name: string,
  write: (ctx: CallContext, x: Value) => Value,
  onIntegers: boolean,
) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor },
    build: (ctx, { input }) => {
      const { emit } = ctx;
      const x = ctx.read(input);
      if (input.isComplex) {
        // A number is finite if both parts are, infinite or not a number if one is.
        const found = parts(emit, x).map((part) => write(ctx, part));
        return emit.op(onIntegers ? "And" : "Or", found);
      }
      if (isFloat(x.dtype)) return write(ctx, x);
      return ctx.emit.op("Expand", [
        ctx.emit.scalar(onIntegers ? 1 : 0, "bool"),
        ctx.emit.ints(x.shape),
      ]);
    },
  });
}

export const isnan = inspection("isnan", (ctx, x) => ctx.emit.op("IsNaN", [x]), false);
export const isinf = inspection("isinf", (ctx, x) => ctx.emit.op("IsInf", [x]), false);
export const isposinf = inspection(
  "isposinf",
  (ctx, x) => ctx.emit.op("IsInf", [x], { detect_negative: 0 }),
  false,
);
export const isneginf = inspection(
  "isneginf",
  (ctx, x) => ctx.emit.op("IsInf", [x], { detect_positive: 0 }),
  false,
);
export const isfinite = inspection(
  "isfinite",
  (ctx, x) =>
    ctx.emit.op("Not", [ctx.emit.op("Or", [ctx.emit.op("IsNaN", [x]), ctx.emit.op("IsInf", [x])])]),
  true,
);

export const where = torchCall({
  name: "where",
  in: ["torch"],
  params: { condition: tensor, input: optional(operand), other: optional(operand) },
  saves: ["condition"],
  keepsMask: true,
  build: (ctx, { condition, input, other }) => {
    if (input === null && other === null) return placesPerAxis(ctx, condition);
    if (input === null || other === null)
      throw torchError("TypeError", 'where() missing 1 required positional arguments: "other"');
    return choose(ctx, condition, input, other);
  },
});

export const whereMethod = torchCall({
  name: "where",
  key: "Tensor.where",
  in: ["Tensor"],
  params: { input: operand, condition: tensor, other: operand },
  saves: ["condition"],
  keepsMask: true,
  build: (ctx, { condition, input, other }) => choose(ctx, condition, input, other),
});

function choose(ctx: CallContext, condition: Tensor, input: Operand, other: Operand) {
  if (condition.dtype !== "bool" && condition.dtype !== "uint8")
    throw torchError(
      "RuntimeError",
      `where expected condition to be a boolean tensor, but got a tensor with dtype ${condition.dtype}`,
    );
  const type = ctx.promote(input, other);
  const picks = overPairs(ctx, ctx.as(condition, "bool"), type);
  const [x, y] = [input, other].map((side) => besideComplex(ctx, side, type)) as [Value, Value];
  return { typed: selected(ctx.emit, picks, x, y), as: type };
}

/** A mask of complex numbers holds for both parts. */
const overPairs = (ctx: CallContext, mask: Value, type: TorchType): Value =>
  isComplexType(type) ? ctx.emit.op("Unsqueeze", [mask, ctx.emit.ints([mask.shape.length])]) : mask;

export const maskedFill = torchCall({
  name: "masked_fill",
  in: both,
  params: { input: tensor, mask: tensor, value: operand },
  inPlace: true,
  fills: true,
  follows: "all",
  keepsMask: true,
  saves: ["mask"],
  build: (ctx, { input, mask, value }) => {
    if (!ctx.inPlace) broadcastShapes("masked_fill", mask.shape, input.shape);
    if (isTensor(value) && value.shape.length > 0)
      throw torchError(
        "RuntimeError",
        `masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ${value.shape.length} dimension(s).`,
      );
    if (mask.dtype !== "bool")
      throw torchError(
        "RuntimeError",
        `masked_fill_ only supports boolean masks, but got mask with dtype ${nativeName(mask)}`,
      );
    const type = typeOf(input);
    refuseFiller(ctx, value, type);
    const picks = overPairs(ctx, joinedMask(ctx, mask, input), type);
    const filler = besideComplex(ctx, value, type);
    const filled = selected(ctx.emit, picks, filler, ctx.as(input, type));
    return { typed: filled, as: type };
  },
});

/** Where one element of memory is several of the tensor's, it is filled where one of them is. */
function joinedMask(ctx: CallContext, mask: Tensor, input: Tensor): Value {
  const { emit } = ctx;
  const holds = ctx.store.read(mask);
  const axes = ctx.inPlace ? repeatedAxes(input) : [];
  if (axes.length === 0) return holds;
  const full = castTo(emit, expandTo(emit, holds, input.shape), "int32");
  const any = emit.op("ReduceMax", [full, emit.ints(axes)], { keepdims: 1 });
  return castTo(emit, any, "bool");
}

export const maximum = extreme("maximum", "Max");
export const minimum = extreme("minimum", "Min");
export const fmax = extreme("fmax", "Max", true);
export const fmin = extreme("fmin", "Min", true);

/** The extreme of two, whose equals share the gradient; NaN if one is, unless `passesNaN`. */
function extreme(name: string, op: string, passesNaN = false) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, other: tensor },
    savesFor: { input: ["input", "other"], other: ["input", "other"] },
    build: (ctx, { input, other }) => {
      const { emit } = ctx;
      const type = ctx.promote(input, other);
      const [x, y] = [heldBy(ctx, input, type), heldBy(ctx, other, type)];
      if (type === "bool") {
        const most = emit.op(op === "Max" ? "Or" : "And", [x, y]);
        return { typed: most, as: type };
      }
      const most = emit.op(op, [x, y]);
      if (!passesNaN || !isFloat(most.dtype)) return { typed: most, as: type };
      const isNoNumber = (value: Value) => emit.op("IsNaN", [value]);
      const known = selected(emit, isNoNumber(x), y, most);
      return { typed: selected(emit, isNoNumber(y), x, known), as: type };
    },
  });
}
