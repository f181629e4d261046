/** What calls written in Python say of their backward pass. */
import { torchError } from "../../errors.ts";
import { bool, optional, tensor, tensors, text, withDefault } from "../arguments.ts";
import { torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import { underivable } from "./derivatives.ts";

/** `input`; its backward pass needs the tensors unedited. */
export const keeping = torchCall({
  name: "keeping",
  in: ["torch._C"],
  params: { input: tensor, kept: tensors },
  saves: ["kept"],
  moves: true,
  build: (ctx, { input }) => ({
    typed: ctx.emit.op("Identity", [ctx.store.read(input)]),
    as: typeOf(input),
  }),
});

/** `input` itself from now on, which its backward pass needs unedited. */
export const keepingResult = torchCall({
  name: "keeping_result",
  in: ["torch._C"],
  params: { input: tensor },
  saves: ["result"],
  moves: true,
  build: (ctx, { input }) => ({
    typed: ctx.emit.op("Identity", [ctx.store.read(input)]),
    as: typeOf(input),
  }),
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
