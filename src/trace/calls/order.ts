/** Sorting, and the k-th in order. */

import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate, type HostArray, isFloat, numel } from "../../graph/tensor.ts";
import { alongAxis } from "../../ops/kernels/reduce.ts";
import { reshapeTo, sliceAxis } from "../../ops/write.ts";
import { bool, int, keywordOfOwn, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { ordered, refuseEmptyAxes } from "./reduction.ts";
import { type Before, firstPlaces, kthPlace, sortedPlaces } from "./tieOrder.ts";

const both = ["torch", "Tensor"] as const;
const returns = ["values", "indices"] as const;
const flag = withDefault(bool, false);

interface Found {
  readonly values: Value;
  readonly indices: Value;
}

/** Which places of a line are wanted, where equal numbers are told apart as PyTorch does. */
type Finder = (n: number, before: Before) => readonly number[];

/**
 * The best `count` along an axis, best first; of equals the first, but where the numbers are
 * constants: those that `find` finds.
 */
function best(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  count: number,
  largest: boolean,
  find: Finder | null,
): Found {
  const { emit } = ctx;
  const x = ctx.store.read(input);
  const given = input.shape.length === 0 ? reshapeTo(emit, x, [1]) : x;
  if (numel(given.shape) === 0) return nothing(ctx, given, axis, count);
  const known = find && placesOfConstant(given, axis, count, largest, find);
  if (known) {
    const indices = emit.constant(known);
    return { values: emit.op("GatherElements", [given, indices], { axis }), indices };
  }
  const attrs = { axis, largest: largest ? 1 : 0, sorted: 1 };
  const found = emit.ops("TopK", [ordered(ctx, given), emit.ints([count])], attrs, 2);
  const [values, indices] = found as [Value, Value];
  if (!isFloat(x.dtype)) return { values, indices };
  return { values: emit.op("GatherElements", [given, indices], { axis }), indices };
}

function placesOfConstant(
  { role, dtype, shape, data }: Value,
  axis: number,
  count: number,
  largest: boolean,
  find: Finder,
): HostArray | null {
  if (role !== "constant" || data === null) return null;
  const sign = largest ? -1 : 1;
  const found = { dtype: "int64", shape: shape.with(axis, count) } as const;
  return alongAxis({ dtype, shape, data }, axis, found, (line) => {
    // NaN is above all else.
    const before = (a: number, b: number) => {
      const [x, y] = [line[a] as number, line[b] as number];
      const [isAbove, isBelow] = largest ? [x, y] : [y, x];
      return (Number.isNaN(isAbove) && !Number.isNaN(isBelow)) || sign * x < sign * y;
    };
    return find(line.length, before);
  });
}

/** Of no elements. The runtime divides by the number of lines. */
function nothing({ emit }: CallContext, x: Value, axis: number, count: number): Found {
  const values = sliceAxis(emit, x, axis, 0, count);
  const data = allocate("int64", 0);
  return { values, indices: emit.constant({ dtype: "int64", shape: values.shape, data }) };
}

function given(
  ctx: CallContext,
  input: Tensor,
  shape: readonly number[],
  found: Found,
): [Typed, Typed] {
  return [
    { typed: reshapeTo(ctx.emit, found.values, shape), as: typeOf(input) },
    { typed: reshapeTo(ctx.emit, found.indices, shape), as: "int64" },
  ];
}

export const topk = torchCall({
  name: "topk",
  in: both,
  params: {
    input: tensor,
    k: int,
    dim: withDefault(int, -1),
    largest: withDefault(bool, true),
    sorted: withDefault(bool, true),
  },
  returns,
  keepsMask: true,
  moves: true,
  build: (ctx, { input, k, dim, largest }) => {
    const axis = wrapDim(dim, input.shape.length);
    if (input.dtype === "bool")
      throw torchError("NotImplementedError", "topk does not support bool dtypes on CPU");
    if (k < 0 || k > (input.shape[axis] ?? 1))
      throw torchError(
        "RuntimeError",
        "selected index k out of range",
        `Dimension ${axis} has size ${input.shape[axis] ?? 1}; got k = ${k}`,
      );
    const shape = input.shape.length === 0 ? [] : input.shape.with(axis, k);
    const find: Finder = (n, before) => firstPlaces(n, k, before);
    const found = best(ctx, input, axis, k, largest, find);
    return given(ctx, input, shape, k === 0 ? found : withTies(ctx, input, axis, k, found));
  },
});

/** Where all numbers of a line are equal, the places that PyTorch takes. */
function withTies(ctx: CallContext, input: Tensor, axis: number, k: number, found: Found): Found {
  const { emit } = ctx;
  const order = firstPlaces(input.shape[axis] ?? 1, k, () => false);
  const isKnown = found.indices.role === "constant";
  if (isKnown || order.every((place, at) => place === at)) return found;
  const x = ctx.store.read(input);
  const compared = ordered(ctx, x);
  const axes = emit.ints([axis]);
  const [most, least] = [
    emit.op("ReduceMax", [compared, axes], { keepdims: 1 }),
    emit.op("ReduceMin", [compared, axes], { keepdims: 1 }),
  ];
  const along = x.shape.map((_, a) => (a === axis ? k : 1));
  const places = reshapeTo(emit, emit.ints(order), along);
  const indices = emit.op("Where", [emit.op("Equal", [most, least]), places, found.indices]);
  return { values: emit.op("GatherElements", [x, indices], { axis }), indices };
}

function sorted(
  ctx: CallContext,
  input: Tensor,
  dim: number,
  descending: boolean,
  stable: boolean,
): [Typed, Typed] {
  const axis = wrapDim(dim, input.shape.length);
  const size = input.shape[axis] ?? 1;
  return given(
    ctx,
    input,
    input.shape,
    best(ctx, input, axis, size, descending, stable ? null : sortedPlaces),
  );
}

export const sort = torchCall({
  name: "sort",
  in: both,
  params: {
    input: tensor,
    dim: withDefault(int, -1),
    descending: flag,
    stable: keywordOfOwn(optional(bool)),
  },
  returns,
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dim, descending, stable }) =>
    sorted(ctx, input, dim, descending, stable === true),
});

export const argsort = torchCall({
  name: "argsort",
  in: both,
  params: {
    input: tensor,
    dim: withDefault(int, -1),
    descending: flag,
    stable: keywordOfOwn(flag),
  },
  moves: true,
  build: (ctx, { input, dim, descending, stable }) =>
    sorted(ctx, input, dim, descending, stable)[1],
});

export const msort = torchCall({
  name: "msort",
  in: both,
  params: { input: tensor },
  keepsMask: true,
  moves: true,
  build: (ctx, { input }) => sorted(ctx, input, 0, false, false)[0],
});

/** The k-th smallest along an axis, counted from 1. */
function kth(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  k: number,
  keepdim: boolean,
): [Typed, Typed] {
  const { emit } = ctx;
  const find: Finder = (n, before) => [kthPlace(n, k - 1, before)];
  const x = ctx.store.read(input);
  const isKnown = x.role === "constant" && numel(x.shape) > 0;
  const found = isKnown
    ? best(ctx, input, axis, 1, false, find)
    : best(ctx, input, axis, k, false, null);
  const last = (part: Value) => (isKnown ? part : sliceAxis(emit, part, axis, k - 1, k));
  const kept = input.shape.length === 0 ? [] : input.shape.with(axis, 1);
  const shape = keepdim ? kept : kept.toSpliced(axis, 1);
  return given(ctx, input, shape, { values: last(found.values), indices: last(found.indices) });
}

export const kthvalue = torchCall({
  name: "kthvalue",
  in: both,
  params: { input: tensor, k: int, dim: withDefault(int, -1), keepdim: flag },
  returns,
  saves: ["input"],
  moves: true,
  build: (ctx, { input, k, dim, keepdim }) => {
    const axis = wrapDim(dim, input.shape.length);
    refuseEmptyAxes("kthvalue", input, [axis]);
    refuseKinds("kthvalue_cpu", typeOf(input), ["bool"]);
    if (k < 1 || k > (input.shape[axis] ?? 1))
      throw torchError(
        "RuntimeError",
        `kthvalue(): selected number k out of range for dimension ${axis}`,
      );
    return kth(ctx, input, axis, k, keepdim);
  },
});
