/** Activation functions made of straight lines. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, isFloat } from "../../graph/tensor.ts";
import { castTo, flatIn, selected } from "../../ops/write.ts";
import { anyNumber, float, type Scalar, scalar, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { integerRange, type TorchType, typeOf } from "../promotion.ts";
import { numberOf } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { activation, everywhere, functional, inplace } from "./activationForm.ts";
import { hardSigmoidOf, isPositive, withSlope } from "./curves.ts";
import { noNumbers } from "./limits.ts";
import { orLeftNan, stepBytes } from "./vectorLoops.ts";

export const relu = torchCall({
  name: "relu",
  in: everywhere,
  params: { input: tensor, inplace },
  inPlace: true,
  saves: ["result"],
  build: (ctx, { input }) => {
    if (input.dtype === "bool")
      throw torchError("NotImplementedError", "Boolean inputs not supported for relu");
    const x = ctx.read(input);
    const y = isFloat(x.dtype)
      ? ctx.emit.op("Relu", [x])
      : ctx.emit.op("Max", [x, ctx.emit.scalar(0, x.dtype)]);
    return { typed: y, as: input.dtype };
  },
});

/** A bound as the type holds it: of integers without its fraction, and within their range. */
function inType(type: DType, bound: number): number {
  if (isFloat(type)) return bound;
  const [low, high] = integerRange(type) ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return Math.min(Math.max(Math.trunc(bound), low), high);
}

/** Flat outside the open interval: unlike clamp, no gradient passes at the bounds. */
function clippedTo(ctx: CallContext, input: Tensor, min: Scalar, max: Scalar): Typed {
  if (input.dtype === "bool")
    throw torchError("NotImplementedError", "Bool inputs not supported for hardtanh");
  const x = ctx.read(input);
  const bounds = [min.value, max.value].map((bound) => inType(x.dtype, bound));
  const [low, high] = bounds.map((bound) => ctx.emit.scalar(bound, x.dtype)) as [Value, Value];
  const isBound = !Number.isNaN(min.value) && !Number.isNaN(max.value);
  const typed = withSlope(
    ctx.emit,
    x,
    () => (isBound ? ctx.emit.op("Clip", [x, low, high]) : noNumbers(ctx.emit, x)),
    (emit, _y, d) => {
      const zero = emit.scalar(0, x.dtype);
      if (!isBound) {
        const isBelow = emit.op("LessOrEqual", [x, low]);
        const isFlat = emit.op("Or", [isBelow, emit.op("GreaterOrEqual", [x, high])]);
        return flatIn(emit, x, emit.op("Where", [isFlat, zero, d]));
      }
      const isWithin = emit.op("And", [emit.op("Greater", [x, low]), emit.op("Less", [x, high])]);
      const passes = orLeftNan(emit, isWithin, x, typeOf(input), stepBytes.select);
      return flatIn(emit, x, emit.op("Where", [passes, d, zero]));
    },
  );
  return { typed, as: input.dtype };
}

const number = (value: number): Scalar => ({ kind: "float", value });

export const hardtanh = torchCall({
  name: "hardtanh",
  in: functional,
  params: {
    input: tensor,
    min_val: withDefault(scalar, number(-1)),
    max_val: withDefault(scalar, number(1)),
    inplace,
  },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input, min_val, max_val }) => {
    if (min_val.value > max_val.value)
      throw torchError("ValueError", "min_val cannot be greater than max_val");
    return clippedTo(ctx, input, min_val, max_val);
  },
});

export const relu6 = torchCall({
  name: "relu6",
  in: functional,
  params: { input: tensor, inplace },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input }) => clippedTo(ctx, input, number(0), number(6)),
});

export const leakyRelu = activation({
  name: "leaky_relu",
  kernel: "leaky_relu_cpu",
  params: { negative_slope: withDefault(anyNumber, 0.01) },
  saves: "input",
  savesResultInPlace: true,
  write: (emit, x, { negative_slope }) => {
    // 1 above 0, else the slope: a product, because Where is slow on masks without a pattern.
    const bend = (to: Emit, value: Value) => {
      const above = castTo(to, isPositive(to, x), x.dtype);
      const rise = to.op("Mul", [above, to.scalar(1 - negative_slope, x.dtype)]);
      const slope = to.op("Add", [rise, to.scalar(negative_slope, x.dtype)]);
      return to.op("Mul", [value, slope]);
    };
    return withSlope(
      emit,
      x,
      () => bend(emit, x),
      (backward, _y, d) => flatIn(backward, x, bend(backward, d)),
    );
  },
});

export const threshold = torchCall({
  name: "threshold",
  in: ["torch", "torch.nn.functional"],
  params: { input: tensor, threshold: scalar, value: scalar, inplace },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { input, threshold, value }): Typed => {
    const { emit } = ctx;
    const type = typeOf(input);
    refuseKinds("threshold_cpu", type, ["bool", "complex"]);
    const x = ctx.as(input, type);
    // A NaN is not below.
    const isBelow = (to: Emit) => to.op("LessOrEqual", [x, ctx.as(threshold, type)]);
    const typed = withSlope(
      emit,
      x,
      () => selected(emit, isBelow(emit), ctx.as(value, type), x),
      (backward, _y, d) => {
        const zero = backward.scalar(0, x.dtype);
        return flatIn(backward, x, backward.op("Where", [isBelow(backward), zero, d]));
      },
    );
    return { typed, as: type };
  },
});

/** relu6(x + 3) / 6 */
export const hardsigmoid = activation({
  name: "hardsigmoid",
  kernel: "hardsigmoid_cpu",
  params: {},
  saves: "input",
  write: hardSigmoidOf,
});

/** x · relu6(x + 3) / 6, whose slope is x/3 + 1/2 where that bends. */
export const hardswish = activation({
  name: "hardswish",
  kernel: "hardswish_cpu",
  params: {},
  saves: "input",
  write: (emit, x, _args, type) =>
    withSlope(
      emit,
      x,
      () => emit.op("Mul", [x, hardSigmoidOf(emit, x)]),
      (backward, _y, d) => {
        const number = (value: number) => backward.scalar(value, x.dtype);
        const slope = backward.op("Add", [backward.op("Div", [x, number(3)]), number(0.5)]);
        const isAbove = backward.op("GreaterOrEqual", [x, number(3)]);
        const isWhole = orLeftNan(backward, isAbove, x, type, stepBytes.blend);
        const isFlat = backward.op("LessOrEqual", [x, number(-3)]);
        const bent = backward.op("Where", [isWhole, d, backward.op("Mul", [d, slope])]);
        return backward.op("Where", [isFlat, number(0), bent]);
      },
    ),
});

export const hardshrink = activation({
  name: "hardshrink",
  in: everywhere,
  kernel: "hardshrink_cpu",
  params: { lambd: withDefault(float, 0.5) },
  saves: "input",
  write: (emit, x, { lambd }, type) => {
    const bound = numberOf(emit, lambd, type);
    return withSlope(
      emit,
      x,
      () => {
        const small = emit.op("LessOrEqual", [emit.op("Abs", [x]), bound]);
        return emit.op("Where", [small, emit.scalar(0, x.dtype), x]);
      },
      (backward, _y, d) => outside(backward, x, bound, d, type),
    );
  },
});

/** The gradient where |x| is above the bound. */
function outside(emit: Emit, x: Value, bound: Value, d: Value, type: TorchType): Value {
  const isFar = emit.op("Greater", [emit.op("Abs", [x]), bound]);
  const passes = orLeftNan(emit, isFar, x, type, stepBytes.select);
  return flatIn(emit, x, emit.op("Where", [passes, d, emit.scalar(0, x.dtype)]));
}

/** x − clip(x, −λ, λ) */
export const softshrink = activation({
  name: "softshrink",
  kernel: "softshrink_check",
  params: { lambd: withDefault(float, 0.5) },
  saves: "input",
  write: (emit, x, { lambd }, type) => {
    const bound = (value: number) => numberOf(emit, value, type);
    return withSlope(
      emit,
      x,
      () => emit.op("Sub", [x, emit.op("Clip", [x, bound(-lambd), bound(lambd)])]),
      (backward, _y, d) => outside(backward, x, bound(lambd), d, type),
    );
  },
});

/** One slope for all, or one for each channel (axis 1). */
export const prelu = torchCall({
  name: "prelu",
  in: everywhere,
  params: { input: tensor, weight: tensor },
  saves: ["input", "weight"],
  build: (ctx, { input, weight }) => {
    const { emit } = ctx;
    if (input.dtype !== weight.dtype)
      throw torchError("RuntimeError", "prelu: Type promoting not supported.");
    const [x, slope] = [ctx.read(input), ctx.read(weight)];
    const count = weight.shape[0] ?? 1;
    const channels = input.shape.length > 1 ? (input.shape[1] as number) : 1;
    if (count !== 1 && count !== channels)
      throw torchError(
        "RuntimeError",
        `Mismatch of parameter numbers and input channel size. Found parameter numbers = ${count} and channel size = ${channels}.`,
      );
    const shape = count === 1 ? [] : [count, ...input.shape.slice(2).map(() => 1)];
    const shaped = emit.op("Reshape", [slope, emit.ints(shape)]);
    const positive = emit.op("Greater", [x, emit.scalar(0, x.dtype)]);
    const low = emit.op("Mul", [x, shaped]);
    return { typed: emit.op("Where", [positive, x, low]), as: input.dtype };
  },
});
