/** Random tensors of the shape, type and layout of another. */
import {
  type DTypeArg,
  dtype,
  int,
  keyword,
  memoryFormat,
  optional,
  tensor,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { type MemoryFormat, stridesOf } from "../layout/strides.ts";
import { heldAs, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { fillRandom, normal01, uniform01 } from "./random.ts";

const anyDtype = keyword(optional(dtype));

const ofKeywords = { dtype: anyDtype, memory_format: memoryFormat };
const ofLike = { input: tensor, ...ofKeywords };

interface OfLike {
  readonly input: Tensor;
  readonly dtype: DTypeArg | null;
  readonly memory_format: MemoryFormat | null;
}

/** A new tensor whose numbers are still to come, and its type. */
function unfilledLike(ctx: CallContext, { input, dtype, memory_format }: OfLike) {
  const type = dtype ?? heldAs(typeOf(input));
  const strides = stridesOf(memory_format ?? "preserve_format", input);
  return { type, made: ctx.store.fromNumbers(type, input.shape, null, strides) };
}

export const randLike = torchCall({
  name: "rand_like",
  in: ["torch"],
  params: ofLike,
  build: (ctx, args) => {
    const { type, made } = unfilledLike(ctx, args);
    return fillRandom(ctx, made, "uniform", uniform01(type.dtype));
  },
});

export const randnLike = torchCall({
  name: "randn_like",
  in: ["torch"],
  params: ofLike,
  build: (ctx, args) => {
    const { type, made } = unfilledLike(ctx, args);
    return fillRandom(ctx, made, "normal", normal01(type));
  },
});

export const randintLike = torchCall({
  name: "randint_like",
  in: ["torch"],
  params: { input: tensor, low: int, high: optional(int), ...ofKeywords },
  build: (ctx, { low, high, ...like }) => {
    const { type, made } = unfilledLike(ctx, like);
    const [from, to] = high === null ? [0, low] : [low, high];
    return fillRandom(ctx, made, "randint", { low: from, high: to, dtype: type.dtype });
  },
});
