/** Sorting, and the k-th in order. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate, isFloat, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import { bool, int, keyword, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { orderOfEquals } from "./tieOrder.ts";

const both = ["torch", "Tensor"] as const;
const returns = ["values", "indices"] as const;
const flag = withDefault(bool, false);

interface Found {
  readonly values: Value;
  readonly indices: Value;
}

/** The best `count` along an axis, best first; of equals the first. */
function best(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  count: number,
  largest: boolean,
): Found {
  const { emit } = ctx;
  const x = ctx.store.read(input);
  const given = input.shape.length === 0 ? reshapeTo(emit, x, [1]) : x;
  if (numel(given.shape) === 0) return nothing(ctx, given, axis, count);
  const [values, indices] = emit.ops(
    "TopK",
    [sortable(ctx, given), emit.ints([count])],
    { axis, largest: largest ? 1 : 0, sorted: 1 },
    2,
  ) as [Value, Value];
  return { values, indices };
}

/** Of no elements. The runtime divides by the number of lines. */
function nothing({ emit }: CallContext, x: Value, axis: number, count: number): Found {
  const values = sliceAxis(emit, x, axis, 0, count);
  const data = allocate("int64", 0);
  return { values, indices: emit.constant({ dtype: "int64", shape: values.shape, data }) };
}

/** The runtime sorts floats and integers of 32 and 64 bits. */
const sortable = (ctx: CallContext, x: Value): Value =>
  isFloat(x.dtype) || x.dtype === "int64" ? x : castTo(ctx.emit, x, "int32");

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
    const found = best(ctx, input, axis, k, largest);
    return given(ctx, input, shape, k === 0 ? found : withTies(ctx, input, axis, k, found));
  },
});

/** Where all numbers of a line are equal, the places that PyTorch takes. */
function withTies(ctx: CallContext, input: Tensor, axis: number, k: number, found: Found): Found {
  const { emit } = ctx;
  const order = orderOfEquals(input.shape[axis] ?? 1, k);
  if (order.every((place, at) => place === at)) return found;
  const x = ctx.store.read(input);
  const compared = sortable(ctx, x);
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

function sorted(ctx: CallContext, input: Tensor, dim: number, descending: boolean): [Typed, Typed] {
  const axis = wrapDim(dim, input.shape.length);
  const size = input.shape[axis] ?? 1;
  return given(ctx, input, input.shape, best(ctx, input, axis, size, descending));
}

export const sort = torchCall({
  name: "sort",
  in: both,
  params: {
    input: tensor,
    dim: withDefault(int, -1),
    descending: flag,
    stable: keyword(optional(bool)),
  },
  returns,
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dim, descending }) => sorted(ctx, input, dim, descending),
});

export const argsort = torchCall({
  name: "argsort",
  in: both,
  params: {
    input: tensor,
    dim: withDefault(int, -1),
    descending: flag,
    stable: keyword(flag),
  },
  moves: true,
  build: (ctx, { input, dim, descending }) => sorted(ctx, input, dim, descending)[1],
});

export const msort = torchCall({
  name: "msort",
  in: both,
  params: { input: tensor },
  keepsMask: true,
  moves: true,
  build: (ctx, { input }) => sorted(ctx, input, 0, false)[0],
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
  const found = best(ctx, input, axis, k, false);
  const last = (x: Value) => sliceAxis(emit, x, axis, k - 1, k);
  const kept = input.shape.length === 0 ? [] : input.shape.with(axis, 1);
  const shape = keepdim ? kept : kept.toSpliced(axis, 1);
  return given(ctx, input, shape, { values: last(found.values), indices: last(found.indices) });
}

function refuseEmpty(name: string, input: Tensor, axis: number): void {
  if (input.shape[axis] === 0)
    throw torchError(
      "IndexError",
      `${name}(): Expected reduction dim ${axis} to have non-zero size.`,
    );
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
    refuseEmpty("kthvalue", input, axis);
    if (k < 1 || k > (input.shape[axis] ?? 1))
      throw torchError(
        "RuntimeError",
        `kthvalue(): selected number k out of range for dimension ${axis}`,
      );
    return kth(ctx, input, axis, k, keepdim);
  },
});
