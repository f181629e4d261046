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

/** A new tensor whose numbers are still to come. */
const unfilledLike = (
  ctx: CallContext,
  like: Tensor,
  type: DTypeArg,
  format: MemoryFormat | null,
): Tensor =>
  ctx.store.fromNumbers(type, like.shape, null, stridesOf(format ?? "preserve_format", like));

export const randLike = torchCall({
  name: "rand_like",
  in: ["torch"],
  params: { input: tensor, dtype: anyDtype, memory_format: memoryFormat },
  build: (ctx, { input, dtype, memory_format }) => {
    const type = dtype ?? heldAs(typeOf(input));
    return fillRandom(
      ctx,
      unfilledLike(ctx, input, type, memory_format),
      "uniform",
      uniform01(type.dtype),
    );
  },
});

export const randnLike = torchCall({
  name: "randn_like",
  in: ["torch"],
  params: { input: tensor, dtype: anyDtype, memory_format: memoryFormat },
  build: (ctx, { input, dtype, memory_format }) => {
    const type = dtype ?? heldAs(typeOf(input));
    return fillRandom(ctx, unfilledLike(ctx, input, type, memory_format), "normal", normal01(type));
  },
});

export const randintLike = torchCall({
  name: "randint_like",
  in: ["torch"],
  params: {
    input: tensor,
    low: int,
    high: optional(int),
    dtype: anyDtype,
    memory_format: memoryFormat,
  },
  build: (ctx, { input, low, high, dtype, memory_format }) => {
    const type = dtype ?? heldAs(typeOf(input));
    const [from, to] = high === null ? [0, low] : [low, high];
    return fillRandom(ctx, unfilledLike(ctx, input, type, memory_format), "randint", {
      low: from,
      high: to,
      dtype: type.dtype,
    });
  },
});
