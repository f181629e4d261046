/** What floating-point numbers are made of: signs, fractions, infinities, closeness. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { castTo, truncated } from "../../ops/write.ts";
import { bool, float, operand, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Namespace, torchCall } from "../call.ts";
import { formats } from "../formats.ts";
import { typeOf } from "../promotion.ts";
import { cppName } from "../typeNames.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { underivable, unreached, withoutSlope } from "./derivatives.ts";
import { type Held, typedCall, withTypedSlopes } from "./typedKernels.ts";

const both: readonly Namespace[] = ["torch", "Tensor"];

/** Of −0 too. */
function isSigned(emit: Emit, x: Value): Value {
  const zero = emit.scalar(0, x.dtype);
  const isLess = emit.op("Less", [x, zero]);
  if (!isFloat(x.dtype)) return isLess;
  const isNegativeZero = emit.op("Less", [emit.op("Reciprocal", [x]), zero]);
  return emit.op("Or", [isLess, isNegativeZero]);
}

export const signbit = torchCall({
  name: "signbit",
  in: both,
  params: { input: tensor },
  build: (ctx, { input }) => isSigned(ctx.emit, comparableRead(ctx, input)),
});

function comparableRead(ctx: CallContext, input: Parameters<CallContext["read"]>[0]): Value {
  const x = ctx.read(input);
  return x.dtype === "bool" ? castTo(ctx.emit, x, "int32") : x;
}

/** |input| with the sign of `other`. */
export const copysign = torchCall({
  name: "copysign",
  in: both,
  params: { input: tensor, other: operand },
  inPlace: true,
  savesFor: { input: ["input", "result"], other: [] },
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const as = ctx.promoteToFloat(input, other);
    const [x, y] = [ctx.as(input, as), ctx.as(other, as)];
    const value = withTypedSlopes(
      typedCall(ctx, [input], [x], as),
      () => {
        // ONNX Runtime's Where takes no −0.
        const [minus, plus] = [-1, 1].map((sign) => emit.scalar(sign, x.dtype));
        const sign = emit.op("Where", [isSigned(emit, y), minus as Value, plus as Value]);
        return emit.op("Mul", [emit.op("Abs", [x]), sign]);
      },
      ({ op }, d, [given], z) => {
        const own = given as Held;
        return [op("Mul", d, op("Where", op("Equal", own, 0), 0, op("Div", z, own)))];
      },
    );
    return { typed: unreached(emit, value, y), as };
  },
});

export const frac = torchCall({
  name: "frac",
  in: both,
  params: { input: tensor },
  inPlace: true,
  build: (ctx, { input }) => {
    const { emit } = ctx;
    if (!isFloat(input.dtype))
      throw torchError(
        "NotImplementedError",
        `"frac_cpu" not implemented for '${cppName(typeOf(input))}'`,
      );
    const x = ctx.read(input);
    const whole = withoutSlope(emit, [x], () => truncated(emit, x));
    return { typed: emit.op("Sub", [x, whole]), as: typeOf(input) };
  },
});

export const nanToNum = torchCall({
  name: "nan_to_num",
  in: both,
  params: {
    input: tensor,
    nan: optional(float),
    posinf: optional(float),
    neginf: optional(float),
  },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input, nan, posinf, neginf }) => {
    const { emit } = ctx;
    const as = typeOf(input);
    const x = ctx.read(input);
    if (!isFloat(input.dtype)) return { typed: emit.op("Identity", [x]), as };
    const most = formats[input.dtype]?.largest ?? 0;
    const replaced = (value: Value, is: Value, by: number) =>
      emit.op("Where", [is, emit.scalar(by, x.dtype), value]);
    const numbers = replaced(x, emit.op("IsNaN", [x]), nan ?? 0);
    const isHigh = emit.op("IsInf", [x], { detect_negative: 0 });
    const isLow = emit.op("IsInf", [x], { detect_positive: 0 });
    const limited = replaced(replaced(numbers, isHigh, posinf ?? most), isLow, neginf ?? -most);
    return { typed: limited, as };
  },
});

/** 0 below 0, 1 above, `values` at 0. */
export const heaviside = torchCall({
  name: "heaviside",
  in: both,
  params: { input: tensor, values: tensor },
  inPlace: true,
  build: (ctx, { input, values }) => {
    const { emit } = ctx;
    if (input.dtype !== values.dtype)
      throw torchError(
        "RuntimeError",
        "heaviside is not yet implemented for tensors with different dtypes.",
      );
    const [x, y] = [ctx.read(input), ctx.read(values)];
    const zero = emit.scalar(0, x.dtype);
    const above = castTo(emit, emit.op("Greater", [x, zero]), x.dtype);
    const chosen = emit.op("Where", [emit.op("Equal", [x, zero]), y, above]);
    const refusal = torchError("RuntimeError", "derivative for aten::heaviside is not implemented");
    return { typed: underivable(emit, chosen, [x, y], refusal), as: typeOf(input) };
  },
});

function scaled(name: string, factor: number) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor },
    inPlace: true,
    build: (ctx, { input }) => {
      const as = ctx.promoteToFloat(input);
      const x = ctx.as(input, as);
      return { typed: ctx.emit.op("Mul", [x, ctx.emit.scalar(factor, x.dtype)]), as };
    },
  });
}
export const rad2deg = scaled("rad2deg", 180 / Math.PI);
export const deg2rad = scaled("deg2rad", Math.PI / 180);

/** |input − other| ≤ atol + rtol · |other|; equal infinities are close. */
export const isclose = torchCall({
  name: "isclose",
  in: both,
  params: {
    input: tensor,
    other: tensor,
    rtol: withDefault(float, 1e-5),
    atol: withDefault(float, 1e-8),
    equal_nan: withDefault(bool, false),
  },
  build: (ctx, { input, other, rtol, atol, equal_nan }) => {
    const { emit } = ctx;
    if (typeOf(input) !== typeOf(other))
      throw torchError(
        "RuntimeError",
        `${cppName(typeOf(input))} did not match ${cppName(typeOf(other))}`,
      );
    for (const [name, value] of [["rtol", rtol] as const, ["atol", atol] as const])
      if (value < 0)
        throw torchError(
          "RuntimeError",
          `${name} must be greater than or equal to zero, but got ${value}`,
        );
    if (input.isComplex) leaveToPython();
    const type = ctx.promoteToFloat(input, other);
    const [x, y] = [ctx.as(input, type), ctx.as(other, type)];
    const distance = emit.op("Abs", [emit.op("Sub", [x, y])]);
    const share = emit.op("Mul", [emit.op("Abs", [y]), emit.scalar(rtol, y.dtype)]);
    const allowed = emit.op("Add", [share, emit.scalar(atol, y.dtype)]);
    const hasEnd = emit.op("Not", [emit.op("IsInf", [distance])]);
    const near = emit.op("And", [hasEnd, emit.op("LessOrEqual", [distance, allowed])]);
    const close = emit.op("Or", [emit.op("Equal", [x, y]), near]);
    if (!equal_nan) return close;
    const bothNan = emit.op("And", [emit.op("IsNaN", [x]), emit.op("IsNaN", [y])]);
    return emit.op("Or", [close, bothNan]);
  },
});
