/** What calls written in Python say of their backward pass. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import type { DType } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import { bool, optional, tensor, tensors, text, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { columnStrides, preservedStrides } from "../layout/strides.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { underivable } from "./derivatives.ts";

/** `input`; its backward pass needs the tensors unedited. */
export const keeping = torchCall({
  name: "keeping",
  in: ["torch._C"],
  params: { input: tensor, kept: tensors },
  saves: ["kept"],
  moves: true,
  build: (ctx, { input, kept }) => {
    const value = ctx.store.read(input);
    const sources = value.requiresGrad ? [] : kept.filter(ctx.store.requiresGrad);
    const typed = restingOn(ctx, value, sources);
    return { typed, as: typeOf(input), strides: preservedStrides(input) };
  },
});

/**
 * A loss of each row of `input` [rows, classes] that was computed beside it: the gradient that comes
 * [rows] times `slope` [rows, classes], whatever it is. The backward pass needs `kept` unedited.
 */
export const rowLoss = torchCall({
  name: "row_loss",
  in: ["torch._C"],
  params: { input: tensor, loss: tensor, slope: tensor, kept: tensors },
  saves: ["input", "kept"],
  build: ({ emit, store }, { input, loss, slope }) => {
    const values = store.read(loss);
    const [made] = emit.grouped(
      [store.read(input)],
      () => [emit.op("Identity", [values])],
      (backward, [d]) => {
        if (!d) return [null];
        const each = backward.op("Unsqueeze", [d, backward.ints([1])]);
        return [backward.op("Mul", [store.read(slope), each])];
      },
    );
    return { typed: made as Value, as: typeOf(loss) };
  },
});

/** `input` as the calls of autocast's lower precision take it: a leaf is cast once. */
export const autocastLower = torchCall({
  name: "autocast_lower",
  in: ["torch._C"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => ({
    typed: ctx.store.read(input),
    as: typeOf(input),
    strides: preservedStrides(input),
  }),
});

/** What a function that Python writes gives, on its way to `out=`. */
export const written = torchCall({
  name: "written",
  in: ["torch._C"],
  params: { input: tensor, by: text },
  moves: true,
  build: (ctx, { input }) => ({ typed: ctx.store.read(input), as: typeOf(input) }),
});

/** `value`, of which PyTorch asks the gradient of `sources` although none of them had a part in it. */
function restingOn({ emit, store }: CallContext, value: Value, sources: readonly Tensor[]): Value {
  const inputs = sources.map(store.read);
  if (inputs.length === 0) return emit.op("Identity", [value]);
  const make = () => [emit.op("Identity", [value])];
  const [made] = emit.grouped(inputs, make, (backward) =>
    inputs.map(({ dtype }) => backward.scalar(0, dtype)),
  );
  return made as Value;
}

/** `input` itself from now on, which its backward pass needs unedited, as it does `kept`; matrices may lie by columns. */
export const keepingResult = torchCall({
  name: "keeping_result",
  in: ["torch._C"],
  params: {
    input: tensor,
    by_columns: withDefault(bool, false),
    kept: withDefault(tensors, [] as readonly Tensor[]),
  },
  saves: ["result", "kept"],
  moves: true,
  build: (ctx, { input, by_columns }) => ({
    typed: ctx.emit.op("Identity", [ctx.store.read(input)]),
    as: typeOf(input),
    strides: by_columns ? columnStrides(input.shape) : preservedStrides(input),
  }),
});

/**
 * `input`, whose gradient by each of `sources`, tensors of its shape, is d times the slope beside it,
 * or d over it; in the slope's type.
 */
export const sloped = torchCall({
  name: "sloped",
  in: ["torch._C"],
  params: { input: tensor, sources: tensors, slopes: tensors, divides: withDefault(bool, false) },
  moves: true,
  build: (ctx, { input, sources, slopes, divides }) => {
    const { emit, store } = ctx;
    const values = sources.map(store.read);
    const factors = slopes.map(store.read);
    const by = (backward: Emit, d: Value, slope: Value, dtype: DType): Value => {
      const made = backward.op(divides ? "Div" : "Mul", [castTo(backward, d, slope.dtype), slope]);
      return castTo(backward, made, dtype);
    };
    const [made] = emit.grouped(
      values,
      () => [emit.op("Identity", [store.read(input)])],
      (backward, [d]) =>
        values.map((value, i) => (d ? by(backward, d, factors[i] as Value, value.dtype) : null)),
    );
    return { typed: made as Value, as: typeOf(input) };
  },
});

/**
 * `input`, which comes of `sources` (none: of itself); a backward pass through it to one of them is
 * refused with this RuntimeError, or the NotImplementedError of a formula that PyTorch misses.
 */
export const refusingBackward = torchCall({
  name: "refusing_backward",
  in: ["torch._C"],
  params: {
    input: tensor,
    message: text,
    sources: optional(tensors),
    is_missing: withDefault(bool, false),
  },
  moves: true,
  build: (ctx, { input, message, sources, is_missing: isMissing }) => {
    const value = ctx.store.read(input);
    const from = (sources ?? [input]).map(ctx.store.read);
    const refusal = torchError(isMissing ? "NotImplementedError" : "RuntimeError", message);
    return { typed: underivable(ctx.emit, value, from, refusal), as: typeOf(input) };
  },
});
