/** Numbers at even distances: between two ends, by a step, and their powers. */
import { torchError } from "../../errors.ts";
import { allocate, isFloat, toInteger } from "../../graph/tensor.ts";
import {
  type DTypeArg,
  int,
  isTensor,
  operand,
  optional,
  type Scalar,
  scalar,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { refuseFill, refuseKinds } from "../kernels.ts";
import { heldAs, type TorchType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { anyDtype, floatType, generated, numberOf } from "./create.ts";

export const arange = torchCall({
  name: "arange",
  in: ["torch"],
  params: { start: operand, end: optional(operand), step: optional(operand), dtype: anyDtype },
  build: (ctx, { start, end, step, dtype }) => {
    const number = (x: Tensor | Scalar) => (isTensor(x) ? numberOf(ctx, x) : x);
    const from: Scalar = end === null ? { kind: "int", value: 0 } : number(start);
    const to = end === null ? number(start) : number(end);
    const by: Scalar = step === null ? { kind: "int", value: 1 } : number(step);
    const given = [from, to, by];
    const type: TorchType = given.some((x) => x.kind === "float") ? ctx.defaultFloat : "int64";
    if (by.value === 0) throw torchError("RuntimeError", "step must be nonzero");
    if ((to.value - from.value) / by.value < 0)
      throw torchError("RuntimeError", "upper bound and lower bound inconsistent with step sign");
    const length = Math.ceil((to.value - from.value) / by.value);
    const wanted = dtype ?? heldAs(type);
    refuseKinds("arange_cpu", wanted.dtype, ["bool"]);
    // Whole numbers have whole ends and steps.
    const whole = isFloat(wanted.dtype) ? (x: number) => x : toInteger;
    const [first, step_] = [whole(from.value), whole(by.value)];
    return generated(ctx, wanted, length, (k) => first + k * step_);
  },
});

/** The ends of a range, which have to be numbers of its type as far as there are steps. */
function endsOf(
  ctx: CallContext,
  name: string,
  type: DTypeArg,
  { steps, ...ends }: { start: Tensor | Scalar; end: Tensor | Scalar; steps: number },
): [number, number] {
  const wrapped = (x: number) => {
    const numbers = allocate(type.dtype, 1);
    numbers[0] = toInteger(x);
    return numbers[0];
  };
  const held = isFloat(type.dtype) ? (x: number) => x : wrapped;
  const [start, end] = (["start", "end"] as const).map((which) => {
    const number = endOf(ctx, name, which, ends[which]);
    if (steps > (which === "start" ? 0 : 1)) refuseFill(number, typeOf(type), steps);
    return held(number.value);
  });
  return [start as number, end as number];
}

function endOf(ctx: CallContext, name: string, which: string, end: Tensor | Scalar): Scalar {
  if (!isTensor(end)) return end;
  if (end.shape.length > 0)
    throw torchError(
      "RuntimeError",
      `${name} only supports 0-dimensional start and end tensors, but got ${which} with ${end.shape.length} dimension(s).`,
    );
  return numberOf(ctx, end);
}

/** Symmetric from both ends, as PyTorch computes it. */
export const linspace = torchCall({
  name: "linspace",
  in: ["torch"],
  params: { start: operand, end: operand, steps: int, dtype: anyDtype },
  build: (ctx, { start, end, steps, dtype }) => {
    const type = floatType(ctx, dtype);
    if (steps > 1) refuseKinds("linspace_cpu", type.dtype, ["bool"]);
    const single = type.dtype === "float32" ? Math.fround : (x: number) => x;
    const [from, to] = endsOf(ctx, "linspace", type, { start, end, steps }).map(single) as [
      number,
      number,
    ];
    const by = single(single(to - from) / Math.max(steps - 1, 1));
    // One rounding: PyTorch multiplies and adds in one operation, from the nearer end.
    const halfway = Math.floor(steps / 2);
    return generated(ctx, type, steps, (k) =>
      single(k < halfway || steps === 1 ? from + by * k : to - by * (steps - 1 - k)),
    );
  },
});

export const logspace = torchCall({
  name: "logspace",
  in: ["torch"],
  params: {
    start: operand,
    end: operand,
    steps: int,
    base: withDefault(scalar, { kind: "float", value: 10 }),
    dtype: anyDtype,
  },
  build: (ctx, { start, end, steps, base, dtype }) => {
    const type = floatType(ctx, dtype);
    refuseKinds("logspace_cpu", typeOf(type), ["bool"]);
    if (steps === 1) {
      const only: Scalar = {
        kind: "float",
        value: base.value ** endOf(ctx, "logspace", "start", start).value,
      };
      refuseFill(only, typeOf(type), 1);
      return generated(ctx, type, 1, () => only.value);
    }
    const [from, to] = endsOf(ctx, "logspace", type, { start, end, steps });
    const by = (to - from) / Math.max(steps - 1, 1);
    return generated(ctx, type, steps, (k) => base.value ** (from + k * by));
  },
});
