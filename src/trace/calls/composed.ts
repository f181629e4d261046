/** What calls written in Python say of their backward pass. */
import { torchError } from "../../errors.ts";
import { tensor, tensors, text } from "../arguments.ts";
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

/** `input`; a backward pass through it is refused with this RuntimeError. */
export const refusingBackward = torchCall({
  name: "refusing_backward",
  in: ["torch._C"],
  params: { input: tensor, message: text },
  moves: true,
  build: (ctx, { input, message }) => {
    const value = ctx.store.read(input);
    const refusal = torchError("RuntimeError", message);
    return { typed: underivable(ctx.emit, value, [value], refusal), as: typeOf(input) };
  },
});
