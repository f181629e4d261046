/** Casts, copies, and filling in place. */

import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { reshapeTo } from "../../ops/write.ts";
import {
  anything,
  bool,
  type DTypeArg,
  dtype,
  isDType,
  isTensor,
  keyword,
  memoryFormat,
  operand,
  optional,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { refuseFill } from "../kernels.ts";
import { formatOf, type MemoryFormat, preservedStrides, stridesOf } from "../layout/strides.ts";
import { inGradMode } from "../passThrough.ts";
import { heldAs, isComplexType, typeOf } from "../promotion.ts";
import { isSameWindow, type Tensor } from "../tensor.ts";
import { castTo } from "./create.ts";
import { alsoOf, besideComplex, unreached } from "./derivatives.ts";
import { copyOf } from "./shape.ts";

/** to(dtype), to(device), to(device, dtype), to(other); devices change nothing here. */
export const to = torchCall({
  name: "to",
  in: ["Tensor"],
  params: {
    input: tensor,
    first: optional(anything),
    second: optional(anything),
    third: optional(anything),
    copy: keyword(withDefault(bool, false)),
    dtype: keyword(optional(dtype)),
    other: keyword(optional(tensor)),
    memory_format: memoryFormat,
  },
  moves: true,
  build: (ctx, { input, first, second, copy, dtype, other, memory_format }) => {
    const target = [first, second, dtype].find(isTarget) ?? other ?? input;
    const type = isTensor(target) ? heldAs(typeOf(target)) : target;
    return converted(ctx, input, type, memory_format, copy);
  },
});

/** In another type or format; itself where it has both and no copy is asked for. */
function converted(
  ctx: CallContext,
  input: Tensor,
  type: DTypeArg,
  memoryFormat: MemoryFormat | null,
  copy = false,
): Tensor {
  const format = memoryFormat ?? "preserve_format";
  const cast = castTo(ctx, input, type, stridesOf(format, input));
  const fits = format === "preserve_format" || format === formatOf(input);
  return cast === input && (copy || !fits) ? copyOf(ctx, input, format) : cast;
}

const isTarget = (arg: unknown): arg is DTypeArg | Tensor => isDType(arg) || isTensor(arg);

export const typeAs = torchCall({
  name: "type_as",
  in: ["Tensor"],
  params: { input: tensor, other: tensor },
  moves: true,
  build: (ctx, { input, other }) => castTo(ctx, input, heldAs(typeOf(other))),
});

function named(name: string, to: DTypeArg["dtype"]) {
  return torchCall({
    name,
    in: ["Tensor"],
    params: { input: tensor, memory_format: memoryFormat },
    moves: true,
    build: (ctx, { input, memory_format }) =>
      converted(ctx, input, { dtype: to, isComplex: false }, memory_format),
  });
}
export const float = named("float", "float32");
export const double = named("double", "float64");
export const half = named("half", "float16");
export const bfloat16 = named("bfloat16", "bfloat16");
export const long = named("long", "int64");
export const int = named("int", "int32");
export const short = named("short", "int16");
export const char = named("char", "int8");
export const byte = named("byte", "uint8");
export const boolCast = named("bool", "bool");

export const copyInPlace = torchCall({
  name: "copy",
  in: ["torch._C"],
  params: { input: tensor, src: operand, non_blocking: withDefault(bool, false) },
  inPlace: true,
  fills: ({ input, src }) => isTensor(src) && isSameWindow(input, src),
  moves: true,
  keepsMask: true,
  build: (ctx, { input, src }) => {
    if (!isTensor(src)) return { typed: ctx.as(src, typeOf(input)), as: typeOf(input) };
    const copied = ownValue(ctx, castValue(ctx, src, input));
    return { typed: alsoOf(ctx.emit, copied, ctx.store.read(input)), as: typeOf(input) };
  },
});

/** A copy has a gradient of its own. */
export const ownValue = (ctx: CallContext, value: Value): Value =>
  value.requiresGrad ? ctx.emit.op("Identity", [value]) : value;

/** The value of `from` in the type of `like`: of complex numbers the real parts where that is real. */
export function castValue(ctx: CallContext, from: Tensor, like: Tensor): Value {
  if (from.isComplex && !like.isComplex) return ctx.store.read(castTo(ctx, from, like));
  if (like.isComplex) return ctx.as(from, typeOf(like));
  const value = ctx.store.read(from);
  return value.dtype === like.dtype ? value : ctx.emit.op("Cast", [value], { to: like.dtype });
}

export const fill = torchCall({
  name: "fill",
  in: ["torch", "Tensor"],
  params: { input: tensor, value: operand },
  inPlace: true,
  fills: true,
  follows: "all",
  keepsMask: true,
  moves: true,
  build: (ctx, { input, value }) => {
    if (isTensor(value) && value.shape.length > 0)
      throw torchError(
        "RuntimeError",
        `fill_ only supports 0-dimension value tensor but got tensor with ${value.shape.length} dimensions.`,
      );
    const type = typeOf(input);
    if (!isTensor(value)) refuseFill(value, type, numel(input.shape));
    const made = filledValue(ctx, input, besideComplex(ctx, value, type));
    const typed = unreached(ctx.emit, made, ctx.store.read(input));
    return { typed, as: type, strides: preservedStrides(input) };
  },
});

export const zero = torchCall({
  name: "zero",
  in: ["torch._C"],
  params: { input: tensor },
  inPlace: true,
  fills: true,
  moves: true,
  build: (ctx, { input }) => {
    const type = typeOf(input);
    return { typed: filledValue(ctx, input, ctx.as({ kind: "int", value: 0 }, type)), as: type };
  },
});

function filledValue(ctx: CallContext, like: Tensor, value: ReturnType<CallContext["as"]>) {
  const shape = like.isComplex ? [...like.shape, 2] : like.shape;
  const held =
    value.dtype === like.dtype ? value : ctx.emit.op("Cast", [value], { to: like.dtype });
  return ctx.emit.op("Expand", [
    isComplexType(typeOf(like)) ? held : reshapeTo(ctx.emit, held, []),
    ctx.emit.ints(shape),
  ]);
}

/** A tensor of its own with the same numbers and no history (torch.tensor of a tensor). */
export const fresh = torchCall({
  name: "fresh",
  in: ["torch._C"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => inGradMode(ctx.emit, false, () => copyOf(ctx, input)),
});
