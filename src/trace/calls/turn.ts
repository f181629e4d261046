/** The same elements in another order: flips, rolls, turns, repeats. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, reverse, sliceAxis, transpose } from "../../ops/write.ts";
import { either, int, ints, keyword, optional, sizes, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { indices } from "./places.ts";
import { axesOf } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;

function flipped(ctx: CallContext, input: Tensor, axes: readonly number[]): Typed {
  const x = ctx.store.read(input);
  const value = axes.length === 0 ? ctx.emit.op("Identity", [x]) : reverse(ctx.emit, x, axes);
  return { typed: value, as: typeOf(input) };
}

export const flip = torchCall({
  name: "flip",
  in: both,
  params: { input: tensor, dims: sizes },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dims }) => {
    const axes = dims.length === 0 ? [] : axesOf(dims, input.shape.length);
    return flipped(ctx, input, axes);
  },
});

function flipAlong(name: string, axis: number) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor },
    keepsMask: true,
    moves: true,
    build: (ctx, { input }) => {
      if (input.shape.length <= axis)
        throw torchError("RuntimeError", `Input must be >= ${axis + 1}-d.`);
      return flipped(ctx, input, [axis]);
    },
  });
}
export const flipud = flipAlong("flipud", 0);
export const fliplr = flipAlong("fliplr", 1);

/** x[…, −shift:] before x[…, :−shift] */
export function rolled(emit: CallContext["emit"], x: Value, axis: number, shift: number): Value {
  const size = x.shape[axis] as number;
  const by = size === 0 ? 0 : ((shift % size) + size) % size;
  if (by === 0) return x;
  const parts = [sliceAxis(emit, x, axis, size - by, size), sliceAxis(emit, x, axis, 0, size - by)];
  return emit.op("Concat", parts, { axis });
}

export const roll = torchCall({
  name: "roll",
  in: both,
  params: { input: tensor, shifts: ints, dims: withDefault(ints, [] as readonly number[]) },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, shifts, dims }) => {
    const { emit } = ctx;
    const x = ctx.store.read(input);
    if (dims.length === 0 && shifts.length === 1) {
      const pairs = input.isComplex ? [2] : [];
      const flat = reshapeTo(emit, x, [numel(input.shape), ...pairs]);
      return {
        typed: reshapeTo(emit, rolled(emit, flat, 0, shifts[0] as number), x.shape),
        as: typeOf(input),
      };
    }
    if (numel(input.shape) === 0) return { typed: emit.op("Identity", [x]), as: typeOf(input) };
    if (dims.length !== shifts.length)
      throw torchError(
        "RuntimeError",
        `shifts and dimensions must align. shifts: ${shifts.length}, dims:${dims.length}`,
      );
    if (input.shape.length === 0)
      throw torchError(
        "IndexError",
        `Dimension specified as ${dims[0]} but tensor has no dimensions`,
      );
    const axes = dims.map((dim) => wrapDim(dim, input.shape.length));
    const value = axes.reduce((y, axis, at) => rolled(emit, y, axis, shifts[at] as number), x);
    return { typed: value === x ? emit.op("Identity", [x]) : value, as: typeOf(input) };
  },
});

/** A quarter turn, k times, from the first of two axes towards the second. */
export const rot90 = torchCall({
  name: "rot90",
  in: both,
  params: { input: tensor, k: withDefault(int, 1), dims: withDefault(ints, [0, 1]) },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, k, dims }) => {
    const { emit } = ctx;
    const rank = input.shape.length;
    if (dims.length !== 2)
      throw torchError(
        "RuntimeError",
        `expected total rotation dims == 2, but got dims = ${dims.length}`,
      );
    if (rank < 2)
      throw torchError("RuntimeError", `expected total dims >= 2, but got total dims = ${rank}`);
    const [a, b] = dims.map((dim) => wrapDim(dim, rank)) as [number, number];
    if (a === b)
      throw torchError(
        "RuntimeError",
        `expected rotation dims to be different, but got dim0 = ${dims[0]} and dim1 = ${dims[1]}`,
      );
    const x = ctx.store.read(input);
    const perm = x.shape.map((_, axis) => axis);
    const swapped = perm.with(a, b).with(b, a);
    const as = typeOf(input);
    switch (((k % 4) + 4) % 4) {
      case 1:
        return { typed: transpose(emit, reverse(emit, x, [b]), swapped), as };
      case 2:
        return { typed: reverse(emit, x, [a, b]), as };
      case 3:
        return { typed: transpose(emit, reverse(emit, x, [a]), swapped), as };
      default:
        return { typed: emit.op("Identity", [x]), as };
    }
  },
});

/** Each slice as often as `repeats` says; without `dim`, each element. */
export const repeatInterleave = torchCall({
  name: "repeat_interleave",
  in: both,
  params: {
    input: tensor,
    repeats: optional(either(int, tensor)),
    dim: optional(int),
    output_size: keyword(optional(int)),
  },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, repeats, dim, output_size }) => {
    const { emit } = ctx;
    const x = ctx.store.read(input);
    const as = typeOf(input);
    if (repeats === null) return { typed: emit.constant(placesOf(ctx, input)), as: "int64" };
    const pairs = input.isComplex ? [2] : [];
    const flat = dim === null;
    const given = flat ? reshapeTo(emit, x, [numel(input.shape), ...pairs]) : x;
    const axis = flat ? 0 : wrapDim(dim, input.shape.length);
    const size = given.shape[axis] as number;
    const times = timesOf(ctx, repeats);
    if (times !== null) return { typed: eachRepeated(ctx, given, axis, times), as };
    const counts = repeats as Tensor;
    if (numel(counts.shape) !== size)
      throw torchError(
        "RuntimeError",
        `repeats must have the same size as input along dim, but got repeats.size(0) = ${numel(counts.shape)} and input.size(${axis}) = ${size}`,
      );
    const places = placesOf(ctx, counts);
    if (output_size !== null && output_size !== places.data.length)
      throw torchError("RuntimeError", "allocated size does not match required size");
    return { typed: emit.op("Gather", [given, emit.constant(places)], { axis }), as };
  },
});

/** One number for all; null: a tensor of several. */
function timesOf(ctx: CallContext, repeats: number | Tensor): number | null {
  if (typeof repeats !== "number") {
    refuseRepeats(repeats);
    if (numel(repeats.shape) !== 1) return null;
    return ctx.store.numbers(repeats)[0] as number;
  }
  if (repeats < 0) throw torchError("RuntimeError", "Repeats must be non-negative");
  return repeats;
}

function refuseRepeats(repeats: Tensor): void {
  if (repeats.shape.length > 1)
    throw torchError("RuntimeError", "repeats must be 0-dim or 1-dim tensor");
  if (isFloat(repeats.dtype))
    throw torchError(
      "NotImplementedError",
      `"repeat_interleave_cpu" not implemented for '${cppName(typeOf(repeats))}'`,
    );
}

/** By broadcasting: its gradient is a sum, not a scatter. */
function eachRepeated(ctx: CallContext, x: Value, axis: number, times: number): Value {
  const { emit } = ctx;
  // PyTorch puts a new axis behind this one.
  wrapDim(axis + 1, x.shape.length + 1);
  const size = x.shape[axis] as number;
  const [before, after] = [x.shape.slice(0, axis), x.shape.slice(axis + 1)];
  const column = reshapeTo(emit, x, [...before, size, 1, ...after]);
  const spread = expandTo(emit, column, [...before, size, times, ...after]);
  return reshapeTo(emit, spread, [...before, size * times, ...after]);
}

/** k as often as counts[k] says, for every k. */
function placesOf(ctx: CallContext, counts: Tensor) {
  refuseRepeats(counts);
  const places: number[] = [];
  ctx.store.numbers(counts).forEach((count, at) => {
    if (count < 0) throw torchError("RuntimeError", "repeats can not be negative");
    for (let i = 0; i < count; i++) places.push(at);
  });
  return indices(places, [places.length]);
}
