/** The numbers of a type that lie next to one another. */
import type { Emit, Value } from "../../graph/graph.ts";
import type { DType } from "../../graph/tensor.ts";
import { tensor } from "../arguments.ts";
import { torchCall } from "../call.ts";
import { formats } from "../formats.ts";
import { refuseKinds } from "../kernels.ts";
import { heldBy, rounded } from "../rounding.ts";
import { unreached } from "./derivatives.ts";

/**
 * The number of `type` after x on the way up or down, as `isUp` says. With u half of what lies
 * between 1 and the next, x ± u(1 + 2u)|x| rounds to the neighbour (Rump, Zimmermann, Boldo and
 * Melquiond: Computing predecessor and successor in rounding to nearest); numbers that are small
 * are scaled for it, and the smallest of all lie evenly.
 */
function neighbour(emit: Emit, x: Value, isUp: Value, type: DType): Value {
  const { digits, least, largest } = formats[type] as (typeof formats)[string];
  const number = (value: number) => emit.scalar(value, x.dtype);
  const signed = (step: Value) => emit.op("Where", [isUp, step, emit.op("Neg", [step])]);
  const size = emit.op("Abs", [x]);

  const u = 2 ** -digits;
  const isSmall = emit.op("Less", [size, number(2 ** (least + 2 * digits))]);
  const scale = emit.op("Where", [isSmall, number(2 ** digits), number(1)]);
  const step = emit.op("Mul", [emit.op("Mul", [size, scale]), number(u * (1 + 2 * u))]);
  const moved = emit.op("Add", [emit.op("Mul", [x, scale]), signed(step)]);
  const far = emit.op("Div", [rounded(emit, moved, type), scale]);

  const even = emit.op("Add", [x, signed(number(2 ** least))]);
  const isEven = emit.op("Less", [size, number(2 ** (least + digits))]);
  const found = emit.op("Where", [isEven, even, far]);
  const isZero = emit.op("Equal", [found, number(0)]);
  const finite = emit.op("Where", [isZero, emit.op("Mul", [x, number(0)]), found]);
  const end = emit.op("Mul", [emit.op("Sign", [x]), number(largest)]);
  return emit.op("Where", [emit.op("IsInf", [x]), end, finite]);
}

/** The number after `input` on the way to `other`; its gradient is that of `input`, where they differ. */
export const nextafter = torchCall({
  name: "nextafter",
  in: ["torch", "Tensor"],
  params: { input: tensor, other: tensor },
  inPlace: true,
  savesFor: { input: ["input", "other"] },
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const as = ctx.promote(input, other);
    refuseKinds("nextafter_cpu", as, ["bool", "integer", "complex"]);
    const [x, y] = [heldBy(ctx, input, as), heldBy(ctx, other, as)];
    const [made] = emit.grouped(
      [x],
      () => [next(emit, x, y, as as DType)],
      (backward, [d]) => {
        const isEqual = backward.op("Equal", [x, y]);
        return [d ? backward.op("Where", [isEqual, backward.scalar(0, d.dtype), d]) : null];
      },
    );
    return { typed: unreached(emit, made as Value, y), as };
  },
});

function next(emit: Emit, x: Value, y: Value, type: DType): Value {
  const between = neighbour(emit, x, emit.op("Less", [x, y]), type);
  const isOther = emit.op("Or", [emit.op("Equal", [x, y]), emit.op("IsNaN", [y])]);
  return emit.op("Where", [isOther, y, between]);
}
