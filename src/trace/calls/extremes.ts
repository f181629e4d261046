/** Largest and smallest elements, and where they are. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate, isFloat, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, shareAmongTies, sliceAxis } from "../../ops/write.ts";
import { either, int, keyword, optional, tensor } from "../arguments.ts";
import { type CallContext, type Result, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { integerRange, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { maximum, minimum } from "./compare.ts";
import { withSlope } from "./curves.ts";
import { refuseComplexGradient } from "./derivatives.ts";
import {
  axesOf,
  comparable,
  dims,
  keepdim,
  nanWhereAny,
  ordered,
  reduce,
  refuseEmptyAxes,
} from "./reduction.ts";

const both = ["torch", "Tensor"] as const;

interface Kind {
  readonly reduce: "ReduceMax" | "ReduceMin";
  readonly find: "ArgMax" | "ArgMin";
}
const largest: Kind = { reduce: "ReduceMax", find: "ArgMax" };
const smallest: Kind = { reduce: "ReduceMin", find: "ArgMin" };

/** The extreme over axes. Elements that attain it share the gradient. */
function extremeOver(
  ctx: CallContext,
  name: string,
  kind: Kind,
  input: Tensor,
  dim: readonly number[] | null,
  keepdim: boolean,
): Typed {
  const axes = axesOf(dim, input.shape.length);
  if (numel(input.shape) > 0)
    refuseKinds(name === "amax" ? "max_values_cpu" : "min_values_cpu", typeOf(input), ["complex"]);
  refuseEmpty(name, "RuntimeError", input, dim === null || dim.length === 0 ? null : axes);
  refuseComplexGradient(ctx, name, input);
  const x = comparable(ctx, ctx.read(input));
  const value = numel(x.shape) === 0 ? zeros(ctx, x, axes, keepdim) : found();
  return { typed: value, as: typeOf(input) };

  function found(): Value {
    const extreme = () => reduce(ctx.emit, kind.reduce, x, axes, keepdim);
    if (!isFloat(x.dtype)) return extreme();
    return sharedByTies(ctx.emit, x, axes, () =>
      nanWhereAny(ctx.emit, x, extreme(), axes, keepdim),
    );
  }
}

/** An extreme over axes: NaN equals no element, and dividing by their count gives a line of NaN. */
function sharedByTies(
  emit: CallContext["emit"],
  x: Value,
  axes: readonly number[],
  find: () => Value,
): Value {
  return withSlope(emit, x, find, (backward, y, d) =>
    shareAmongTies(backward, x, backward.ints(axes), { noop_with_empty_axes: 1 }, y, d),
  );
}

/** Nothing is reduced and nothing is left: the sum has the right shape. */
const zeros = (ctx: CallContext, x: Value, axes: readonly number[], keepdim: boolean): Value =>
  reduce(ctx.emit, "ReduceSum", x, axes, keepdim);

function refuseEmpty(
  name: string,
  kind: "RuntimeError" | "IndexError",
  input: Tensor,
  axes: readonly number[] | null,
): void {
  if (axes === null && numel(input.shape) === 0)
    throw torchError(
      kind,
      `${name}(): Expected reduction dim to be specified for input.numel() == 0.${kind === "RuntimeError" ? " Specify the reduction dim with the 'dim' argument." : ""}`,
    );
  refuseEmptyAxes(name, input, axes ?? []);
}

function overAxes(name: "amax" | "amin", kind: Kind) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, dim: dims, keepdim },
    saves: ["input", "result"],
    build: (ctx, { input, dim, keepdim }) => extremeOver(ctx, name, kind, input, dim, keepdim),
  });
}
export const amax = overAxes("amax", largest);
export const amin = overAxes("amin", smallest);

export const aminmax = torchCall({
  name: "aminmax",
  in: both,
  params: { input: tensor, dim: keyword(optional(int)), keepdim: keyword(keepdim) },
  returns: ["min", "max"],
  saves: ["input", "result0", "result1"],
  build: (ctx, { input, dim, keepdim }) => {
    const axis = dim === null ? null : wrapDim(dim, input.shape.length);
    if (axis !== null && input.shape[axis] === 0)
      throw torchError(
        "IndexError",
        `aminmax: Expected reduction dim ${axis} to have non-zero size.`,
      );
    if (numel(input.shape) === 0 && axis === null)
      throw torchError(
        "RuntimeError",
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
      );
    const axes = dim === null ? null : [dim];
    const over = (kind: Kind) => extremeOver(ctx, "aminmax", kind, input, axes, keepdim);
    return [over(smallest), over(largest)];
  },
});

/** Where the extreme along an axis is, with size 1 there: the first of equals. */
function placeOf(ctx: CallContext, kind: Kind, x: Value, axis: number): Value {
  if (x.shape.length === 0) return ctx.emit.scalar(0, "int64");
  const key = ordered(ctx, x, kind === smallest);
  return ctx.emit.op(kind.find, [key], { axis, keepdims: 1 });
}

/** The elements at `places`: the gradient goes to one of equals. */
function elementsAt(ctx: CallContext, x: Value, places: Value, axis: number): Value {
  if (x.shape.length === 0) return ctx.emit.op("Identity", [x]);
  return ctx.emit.op("GatherElements", [x, places], { axis });
}

function withPlaces(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  keepdim: boolean,
  places: Value,
): [Typed, Typed] {
  const shape = keepdim ? places.shape : places.shape.toSpliced(axis, 1);
  const elements = elementsAt(ctx, ctx.read(input), places, axis);
  return [
    { typed: reshapeTo(ctx.emit, elements, shape), as: input.dtype },
    { typed: reshapeTo(ctx.emit, places, shape), as: "int64" },
  ];
}

/** max(x), max(x, dim) with places, max(x, y). */
function threeForms(name: "max" | "min", kind: Kind) {
  return torchCall({
    name,
    in: both,
    params: {
      input: tensor,
      dim: optional(either(int, tensor)),
      keepdim,
      other: keyword(optional(tensor)),
    },
    returns: ["values", "indices"],
    saves: ({ dim, other }) =>
      dim === null && other === null ? ["input", "result"] : ["input", "dim", "other"],
    build: (ctx, { input, dim, keepdim, other }): Result => {
      const second = other ?? (typeof dim === "object" ? dim : null);
      if (second !== null)
        return (name === "max" ? maximum : minimum).build(ctx, { input, other: second });
      if (typeof dim !== "number") {
        const most = () => extremeOver(ctx, name, kind, input, null, false);
        const x = ctx.read(input);
        if (!isFloat(x.dtype)) return most();
        return { typed: foundAmong(ctx.emit, x, () => most().typed), as: typeOf(input) };
      }
      const axis = wrapDim(dim, input.shape.length);
      refuseEmpty(name, "IndexError", input, input.shape.length > 0 ? [axis] : []);
      const places = placeOf(ctx, kind, ctx.read(input), axis);
      return withPlaces(ctx, input, axis, keepdim, places);
    },
  });
}
export const max = threeForms("max", largest);
export const min = threeForms("min", smallest);

function place(name: "argmax" | "argmin", kind: Kind) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, dim: optional(int), keepdim },
    build: (ctx, { input, dim, keepdim }) => {
      const { emit } = ctx;
      if (input.dtype === "bool")
        throw torchError("NotImplementedError", `${name}(): does not support bool input`);
      const rank = input.shape.length;
      refuseEmpty(name, "IndexError", input, dim === null ? null : axesOf([dim], rank));
      const x = ctx.read(input);
      const axis = dim === null ? 0 : wrapDim(dim, rank);
      const line = dim === null ? reshapeTo(emit, x, [numel(x.shape)]) : x;
      const found = placeOf(ctx, kind, line, axis);
      const whole = dim === null ? input.shape.map(() => 1) : found.shape;
      const shape = keepdim ? whole : dim === null ? [] : found.shape.toSpliced(axis, 1);
      return { typed: reshapeTo(emit, found, shape), as: "int64" };
    },
  });
}
export const argmax = place("argmax", largest);
export const argmin = place("argmin", smallest);

/** The lower of the middle two where the count is even. */
export const median = torchCall({
  name: "median",
  in: both,
  params: { input: tensor, dim: optional(int), keepdim },
  returns: ["values", "indices"],
  saves: ["input", "result"],
  build: (ctx, { input, dim, keepdim }): Result => {
    const { emit } = ctx;
    if (dim === null && numel(input.shape) === 0) return ofNothing(ctx, input);
    const axis = dim === null ? 0 : wrapDim(dim, input.shape.length);
    if (dim !== null) refuseEmpty("median", "IndexError", input, [axis]);
    refuseKinds("median_cpu", typeOf(input), ["bool", "complex"]);
    const x = ctx.read(input);
    if (dim === null) {
      const flat = reshapeTo(emit, x, [numel(x.shape)]);
      const found = foundAmong(emit, x, () => {
        const element = emit.op("GatherElements", [flat, middle(ctx, flat, 0)], { axis: 0 });
        return reshapeTo(emit, element, []);
      });
      return { typed: found, as: input.dtype };
    }
    return withPlaces(ctx, input, axis, keepdim, middle(ctx, x, axis));
  },
});

/** A number that is one of those of `x`: all that are equal to it share its gradient. */
function foundAmong(emit: CallContext["emit"], x: Value, find: () => Value): Value {
  return withSlope(emit, x, find, (backward, y, d) => {
    const unknown = [backward.op("IsNaN", [x]), backward.op("IsNaN", [y])] as const;
    const isEqual = backward.op("Or", [backward.op("Equal", [x, y]), backward.op("And", unknown)]);
    const equals = castTo(backward, isEqual, x.dtype);
    const share = backward.op("Div", [d, backward.op("ReduceSum", [equals], { keepdims: 0 })]);
    return backward.op("Where", [isEqual, share, backward.scalar(0, x.dtype)]);
  });
}

/** `found` is one of the numbers of `input`. */
export const amongEquals = torchCall({
  name: "among_equals",
  in: ["torch._C"],
  params: { input: tensor, found: tensor },
  saves: ["input", "result"],
  build: (ctx, { input, found }) => {
    const number = ctx.read(found);
    const make = () => ctx.emit.op("Identity", [number]);
    return { typed: foundAmong(ctx.emit, ctx.read(input), make), as: typeOf(input) };
  },
});

/** The middle of no numbers: NaN, or the least number of an integer type. */
function ofNothing(ctx: CallContext, input: Tensor): Typed {
  const { emit } = ctx;
  const type = input.dtype;
  if (isFloat(type)) {
    const sum = emit.op("ReduceSum", [ctx.read(input)], { keepdims: 0 });
    return { typed: emit.op("Add", [sum, emit.scalar(Number.NaN, sum.dtype)]), as: type };
  }
  const least = type === "bool" ? 1 : (integerRange(type)?.[0] ?? -(2 ** 63));
  return { typed: emit.scalar(least, type), as: type };
}

function middle(ctx: CallContext, x: Value, axis: number): Value {
  const { emit } = ctx;
  if (x.shape.length === 0) return emit.scalar(0, "int64");
  const count = Math.ceil((x.shape[axis] as number) / 2);
  // The runtime's TopK divides by the number of lines.
  if (numel(x.shape) === 0)
    return emit.constant({
      dtype: "int64",
      shape: x.shape.with(axis, 1),
      data: allocate("int64", 0),
    });
  const attrs = { axis, largest: 0 };
  const key = ordered(ctx, x);
  const sorted = emit.ops("TopK", [key, emit.ints([count])], attrs, 2);
  const place = sliceAxis(emit, sorted[1] as Value, axis, count - 1, count);
  if (!isFloat(x.dtype)) return place;
  // Where there is a NaN, it is that, the first of several.
  const last = emit.op("ArgMax", [key], { axis, keepdims: 1 });
  const isNan = emit.op("IsNaN", [emit.op("GatherElements", [x, last], { axis })]);
  return emit.op("Where", [isNan, last, place]);
}
