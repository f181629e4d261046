/** Areas under samples, of trapezoids between neighbours. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { castTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import { float, int, keyword, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { kindOf } from "../kernels.ts";
import { computeType, type TorchType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapAxis } from "../views.ts";
import { difference } from "./scan.ts";

const params = {
  y: tensor,
  x: optional(tensor),
  dx: keyword(withDefault(float, 1)),
  dim: keyword(withDefault(int, -1)),
};

interface Samples {
  readonly y: Tensor;
  readonly x: Tensor | null;
  readonly dx: number;
  readonly dim: number;
}

/** The sums of neighbours and how far apart they lie, in the samples' own types: integers wrap. */
function neighbours(ctx: CallContext, { y, x }: Samples, axis: number) {
  if (y.dtype === "bool")
    throw torchError(
      "NotImplementedError",
      "trapezoid: received a bool input for `y`, but bool is not supported",
    );
  const { emit } = ctx;
  const own = typeOf(y);
  const size = y.shape[axis] as number;
  const values = ctx.as(y, own);
  const [later, earlier] = [
    sliceAxis(emit, values, axis, 1, size),
    sliceAxis(emit, values, axis, 0, size - 1),
  ];
  const sums = emit.op("Add", [later, earlier]);
  if (x === null) return { sums, areas: null, type: own };
  const type = ctx.promote(y, x);
  const gaps = difference(emit, ctx.as(x, typeOf(x)), alongX(x, y, axis));
  const sizes = y.shape.map((_, a) => (a === axis ? size - 1 : 1));
  const fitted = x.shape.length === 1 ? reshapeTo(emit, gaps, sizes) : gaps;
  const [a, b] = [sums, fitted].map((part) => castTo(emit, part, computeType(type)));
  return { sums, areas: emit.op("Mul", [a as Value, b as Value]), type };
}

function alongX(x: Tensor, y: Tensor, axis: number): number {
  const own = x.shape.length === 1 ? 0 : axis;
  if (x.shape[own] !== y.shape[axis])
    throw torchError(
      "RuntimeError",
      "trapezoid: There must be one `x` value for each sample point",
    );
  return own;
}

/** Sums of integers are int64. */
const summed = (type: TorchType): TorchType => (kindOf(type) === "integer" ? "int64" : type);

/** A real multiple of a sum: integers become floats. */
function scaled(ctx: CallContext, sum: Value, by: number, type: TorchType) {
  const as = kindOf(type) === "integer" ? ctx.defaultFloat : type;
  const wide = castTo(ctx.emit, sum, computeType(as));
  return { typed: ctx.emit.op("Mul", [wide, ctx.emit.scalar(by, wide.dtype)]), as };
}

export const trapezoid = torchCall({
  name: "trapezoid",
  in: ["torch"],
  params,
  build: (ctx, samples) => {
    const { emit } = ctx;
    const { y, dx, dim } = samples;
    const axis = wrapAxis(dim, y.shape.length);
    const { areas, type } = neighbours(ctx, samples, axis);
    const total = (value: Value) => {
      const wide = castTo(emit, value, computeType(summed(type)));
      return emit.op("ReduceSum", [wide, emit.ints([axis])], { keepdims: 0 });
    };
    if (areas !== null) return scaled(ctx, total(areas), 0.5, type);
    const values = ctx.as(y, type);
    const size = y.shape[axis] as number;
    const end = (at: number) =>
      emit.op("Squeeze", [sliceAxis(emit, values, axis, at, at + 1), emit.ints([axis])]);
    if (size === 0) return scaled(ctx, total(values), dx, type);
    const ends = scaled(ctx, emit.op("Add", [end(0), end(size - 1)]), 0.5, type);
    const all = castTo(emit, total(values), ends.typed.dtype);
    return scaled(ctx, emit.op("Sub", [all, ends.typed]), dx, ends.as);
  },
});
export const trapz = torchCall({ ...trapezoid, name: "trapz" });

export const cumulativeTrapezoid = torchCall({
  name: "cumulative_trapezoid",
  in: ["torch"],
  params,
  build: (ctx, samples) => {
    const { emit } = ctx;
    const axis = wrapAxis(samples.dim, samples.y.shape.length);
    const { sums, areas, type } = neighbours(ctx, samples, axis);
    const wide = castTo(emit, areas ?? sums, computeType(summed(type)));
    const running = emit.op("CumSum", [wide, emit.scalar(axis, "int64")]);
    return scaled(ctx, running, areas === null ? samples.dx / 2 : 0.5, type);
  },
});
