/** Functions of one tensor, element by element. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { clipTo, signOf, truncated } from "../../ops/write.ts";
import { isTensor, operand, optional, type Scalar, scalar, tensor } from "../arguments.ts";
import { type CallContext, type CallSpec, type Namespace, type Typed, torchCall } from "../call.ts";
import { needFloats, refuseKinds } from "../kernels.ts";
import { heldAs, integerRange, isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { heldBy } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { onPairs } from "./complexFunctions.ts";
import { withSlope } from "./curves.ts";
import { withoutSlope } from "./derivatives.ts";
import { inSteps, slopesNamed } from "./kernelSlopes.ts";
import { between, noNumbers } from "./limits.ts";
import { narrowed, narrowedWithSlope } from "./narrowed.ts";
import { expm1Of, log1pOf } from "./nearZero.ts";
import { comparable } from "./reduction.ts";

const everywhere: readonly Namespace[] = ["torch", "Tensor"];

/** Integers become floats first, as PyTorch does for functions with a fractional result. */
function floatFunction(
  name: string,
  write: (emit: CallContext["emit"], x: Value) => Value,
  saves: "input" | "result" | null,
) {
  return torchCall({
    name,
    in: everywhere,
    params: { input: tensor },
    inPlace: true,
    ...(saves ? { saves: [saves] } : {}),
    build: (ctx, { input }) => {
      const type = ctx.promoteToFloat(input);
      const x = ctx.as(input, type);
      return {
        typed: isComplexType(type)
          ? onPairs(ctx.emit, name, x)
          : inSteps(ctx.emit, type, [x], () => write(ctx.emit, x), slopesNamed(name)),
        as: type,
      };
    },
  });
}

const onnx = (op: string) => (emit: Emit, x: Value) => emit.op(op, [x]);

const withSlopeOf = (op: Parameters<typeof narrowedWithSlope>[1]) => (emit: Emitter, x: Value) =>
  narrowedWithSlope(emit, op, x);

const byFormula = (op: Parameters<typeof narrowed>[1]) => (emit: Emit, x: Value) =>
  narrowed(emit, op, x);

export const exp = floatFunction("exp", onnx("Exp"), "result");
export const log = floatFunction("log", onnx("Log"), "input");
export const sqrt = floatFunction("sqrt", onnx("Sqrt"), "result");
export const rsqrt = floatFunction(
  "rsqrt",
  (emit, x) =>
    withSlope(
      emit,
      x,
      () => emit.op("Reciprocal", [emit.op("Sqrt", [x])]),
      // dx = −½ dy · y³
      (backward, y, d) => {
        const cube = backward.op("Mul", [backward.op("Mul", [y, y]), y]);
        return backward.op("Mul", [backward.op("Mul", [d, backward.scalar(-0.5, y.dtype)]), cube]);
      },
    ),
  "result",
);
export const reciprocal = floatFunction("reciprocal", onnx("Reciprocal"), "result");
export const sin = floatFunction("sin", onnx("Sin"), "input");
export const cos = floatFunction("cos", onnx("Cos"), "input");
export const tan = floatFunction("tan", byFormula("Tan"), "result");
export const asin = floatFunction("asin", withSlopeOf("Asin"), "input");
export const acos = floatFunction("acos", withSlopeOf("Acos"), "input");
export const atan = floatFunction("atan", byFormula("Atan"), "input");
export const sinh = floatFunction("sinh", byFormula("Sinh"), "input");
export const cosh = floatFunction("cosh", byFormula("Cosh"), "input");
export const erf = floatFunction("erf", withSlopeOf("Erf"), "input");
export const log2 = floatFunction("log2", overConstant("Log", Math.LN2), "input");
export const log10 = floatFunction("log10", overConstant("Log", Math.LN10), "input");
export const log1p = floatFunction("log1p", log1pOf, "input");
export const expm1 = floatFunction("expm1", expm1Of, "result");
export const exp2 = floatFunction(
  "exp2",
  (emit, x) => emit.op("Exp", [emit.op("Mul", [x, emit.scalar(Math.LN2, x.dtype)])]),
  "result",
);

function overConstant(op: string, divisor: number) {
  return (emit: Emit, x: Value) =>
    emit.op("Div", [emit.op(op, [x]), emit.scalar(divisor, x.dtype)]);
}

/** Keeps the type of its input. */
function sameType(
  name: string,
  write: (emit: Emitter, x: Value) => Value,
  more: Partial<CallSpec> = {},
) {
  return torchCall({
    name,
    in: everywhere,
    params: { input: tensor },
    inPlace: true,
    ...(more.keepsMask ? { keepsMask: true } : {}),
    build: (ctx, { input }) => {
      const type = ctx.promote(input);
      const x = ctx.as(input, type);
      return {
        typed: isComplexType(type) ? onPairs(ctx.emit, name, x) : write(ctx.emit, x),
        as: type,
      };
    },
  });
}

const onFloats = (op: string) => (emit: Emit, x: Value) =>
  isFloat(x.dtype) ? emit.op(op, [x]) : x;

/** Rounding of any kind: there is none of truths. */
function rounding(name: string, write: (emit: Emitter, x: Value) => Value) {
  const call = sameType(name, write);
  return torchCall({
    ...call,
    build: (ctx, { input }) => {
      refuseKinds(`${name}_vml_cpu`, typeOf(input), ["bool"]);
      return call.build(ctx, { input });
    },
  });
}

export const neg = torchCall({
  ...sameType("neg", onnx("Neg")),
  build: (ctx, { input }) => negationOf(ctx, input),
});

/** −x in its own type: unsigned integers wrap. */
export function negationOf(ctx: CallContext, input: Tensor): Typed {
  if (input.dtype === "bool")
    throw torchError(
      "NotImplementedError",
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
    );
  const { emit } = ctx;
  const type = ctx.promote(input);
  const x = ctx.as(input, type);
  // ONNX negates signed types only.
  const typed =
    x.dtype === "uint8" ? emit.op("Sub", [emit.scalar(0, x.dtype), x]) : emit.op("Neg", [x]);
  return { typed, as: type };
}
export const sign = sameType("sign", (emit, x) =>
  x.dtype === "bool" ? emit.op("Identity", [x]) : signOf(emit, x),
);
export const floor = rounding("floor", onFloats("Floor"));
export const ceil = rounding("ceil", onFloats("Ceil"));
export const trunc = rounding("trunc", (emit, x) =>
  isFloat(x.dtype) ? withoutSlope(emit, [x], () => truncated(emit, x)) : x,
);
const squared = sameType("square", (emit, x) => emit.op("Mul", [x, x]));
export const square = torchCall({
  ...squared,
  saves: ["input"],
  build: (ctx, { input }) =>
    input.dtype === "bool"
      ? { typed: ctx.as(input, "int64"), as: "int64" }
      : squared.build(ctx, { input }),
});

export const round = torchCall({
  name: "round",
  in: everywhere,
  params: { input: tensor, decimals: optional(scalar) },
  inPlace: true,
  build: (ctx, { input, decimals }) => {
    const type = ctx.promote(input);
    refuseKinds("round_vml_cpu", type, ["bool", "complex"]);
    const x = ctx.as(input, type);
    const places = decimals?.value ?? 0;
    if (decimals !== null) needFloats(places === 0 ? "round_vml_cpu" : "round_cpu", type);
    if (!isFloat(x.dtype)) return { typed: x, as: type };
    if (places === 0) return { typed: ctx.emit.op("Round", [x]), as: type };
    const factor = ctx.emit.scalar(10 ** places, x.dtype);
    const whole = ctx.emit.op("Round", [ctx.emit.op("Mul", [x, factor])]);
    return { typed: ctx.emit.op("Div", [whole, factor]), as: type };
  },
});

/** Bounds are numbers, where no gradient passes, or tensors, which take half of it. */
export const clamp = torchCall({
  name: "clamp",
  in: everywhere,
  params: { input: tensor, min: optional(operand), max: optional(operand) },
  inPlace: true,
  saves: ["input", "min", "max"],
  fillEdit: ({ input, min, max }) => {
    const low = min ?? { kind: "float", value: Number.NEGATIVE_INFINITY };
    const high = max ?? { kind: "float", value: Number.POSITIVE_INFINITY };
    if (isTensor(low) || isTensor(high) || (min === null && max === null)) return null;
    if (Number.isNaN(low.value) || Number.isNaN(high.value)) return null;
    const held = (x: number) => (input.dtype === "float64" ? x : Math.fround(x));
    return { op: "clamp", low: held(low.value), high: held(high.value) };
  },
  build: (ctx, { input, min, max }) => {
    if (min === null && max === null)
      throw torchError(
        "RuntimeError",
        "torch.clamp: At least one of 'min' or 'max' must not be None",
      );
    const type = ctx.promote(input, min, max);
    if (min !== null && max !== null) refuseKinds("clamp_cpu", type, ["bool"]);
    const x = comparable(ctx, ctx.as(input, type));
    const bound = (limit: typeof min) =>
      limit === null ? null : comparable(ctx, heldBy(ctx, limit, type));
    const low = bound(reachable(type, "min", min));
    const high = bound(reachable(type, "max", max));
    if (isFloat(heldAs(type).dtype) && !isTensor(min) && !isTensor(max)) {
      const isBound = !Number.isNaN(min?.value) && !Number.isNaN(max?.value);
      return { typed: isBound ? clipTo(ctx.emit, x, low, high) : noNumbers(ctx.emit, x), as: type };
    }
    if (isFloat(x.dtype) && low !== null && high !== null)
      return { typed: between(ctx.emit, x, low, high), as: type };
    const raised = low === null ? ctx.emit.op("Identity", [x]) : ctx.emit.op("Max", [x, low]);
    return { typed: high === null ? raised : ctx.emit.op("Min", [raised, high]), as: type };
  },
});

/** The bound of an integer type; null where no number of the type is beyond it. */
function reachable(
  type: TorchType,
  side: "min" | "max",
  limit: Tensor | Scalar | null,
): Tensor | Scalar | null {
  if (limit === null || isTensor(limit)) return limit;
  const range = integerRange(type);
  if (range === null) return limit;
  const [lowest, highest] = range;
  const { value } = limit;
  if (side === "min" ? value < lowest : value > highest) return null;
  if (side === "min" ? value <= highest : value >= lowest) return limit;
  throw torchError(
    "RuntimeError",
    `Clamp ${side} value ${value} is outside the representable range of ${cppName(type)}`,
  );
}

export const clip = torchCall({ ...clamp, name: "clip" });
export const clampMin = torchCall({
  name: "clamp_min",
  in: everywhere,
  params: { input: tensor, min: operand },
  inPlace: true,
  savesFor: { input: ["input", "min"], min: ["input", "min"] },
  build: (ctx, { input, min }) => clamp.build(ctx, { input, min, max: null }),
});
export const clampMax = torchCall({
  name: "clamp_max",
  in: everywhere,
  params: { input: tensor, max: operand },
  inPlace: true,
  savesFor: { input: ["input", "max"], max: ["input", "max"] },
  build: (ctx, { input, max }) => clamp.build(ctx, { input, min: null, max }),
});
