/** Elements picked by index tensors and by masks. */

import { torchError } from "../../errors.ts";
import { numel } from "../../graph/tensor.ts";
import { broadcastIndex } from "../../ops/kernels/elementwise.ts";
import { broadcastShapes } from "../../ops/shapes.ts";
import { expandTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import { bool, int, keyword, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Namespace, type Result, type Typed, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import { type Tensor, valueShape } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { viewStrides, wrapAxis, wrapDim } from "../views.ts";
import { holding } from "./create.ts";
import { positionsOf } from "./indexing.ts";
import { indices, isIndex, outOfBounds, overPairs, placesWithin, readIndex } from "./places.ts";

const both = ["torch", "Tensor"] as const;

export const indexSelect = torchCall({
  name: "index_select",
  in: both,
  params: { input: tensor, dim: int, index: tensor },
  saves: ["index"],
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dim, index }) => {
    const axis = wrapDim(dim, input.shape.length);
    if (index.shape.length > 1)
      throw torchError("IndexError", "index_select(): Index is supposed to be a vector");
    if (!isIndex(index))
      throw torchError(
        "RuntimeError",
        "index_select(): Expected dtype int32 or int64 for index",
        "Index tensors are integers: convert them with .long()",
      );
    const size = input.shape[axis] ?? 1;
    const places = placesWithin(ctx, index, { from: 0, below: size }, (at) =>
      axis === 1
        ? torchError(
            "RuntimeError",
            `INDICES element is out of DATA bounds, id=${at} axis_dim=${size}`,
          )
        : torchError(
            "IndexError",
            "index out of range in self",
            `Dimension ${axis} has size ${size}; got the index ${at}`,
          ),
    );
    const x = ctx.store.read(input);
    if (input.shape.length === 0) return { typed: x, as: typeOf(input) };
    const picked = ctx.emit.op("Gather", [x, places], { axis });
    return { typed: picked, as: typeOf(input) };
  },
});

/** input[index[i, j, …], j, …] for dim 0. */
export const gather = gathering("gather", both, ["input", "index"]);

/** The same of places that the caller has found in `input`: its gradient needs these alone. */
export const gatherFound = gathering("gather_found", ["torch._C"], ["index"]);

function gathering(
  name: string,
  places: readonly Namespace[],
  saves: readonly ("input" | "index")[],
) {
  return torchCall({
    name,
    in: places,
    params: {
      input: tensor,
      dim: int,
      index: tensor,
      sparse_grad: keyword(withDefault(bool, false)),
    },
    keepsMask: true,
    moves: true,
    savesFor: { input: saves },
    build: (ctx, { input, dim, index }) => {
      const axis = wrapDim(dim, input.shape.length);
      if (!isIndex(index) && numel(index.shape) > 0)
        throw torchError("RuntimeError", "gather(): Expected dtype int32/int64 for index");
      if (numel(index.shape) > 0) refuseGather(input, axis, index);
      return picked(ctx, input, axis, index);
    },
  });
}

function refuseGather(input: Tensor, axis: number, index: Tensor): void {
  if (Math.max(input.shape.length, 1) !== Math.max(index.shape.length, 1))
    throw torchError(
      "RuntimeError",
      "Index tensor must have the same number of dimensions as input tensor",
    );
  index.shape.forEach((size, a) => {
    if (a !== axis && size > (input.shape[a] ?? 1))
      throw torchError(
        "RuntimeError",
        `Size does not match at dimension ${a} expected index [${index.shape.join(", ")}] to be no larger than self [${input.shape.join(", ")}] apart from dimension ${axis}`,
      );
  });
}

function picked(ctx: CallContext, input: Tensor, axis: number, index: Tensor): Typed {
  const { emit } = ctx;
  const type = typeOf(input);
  const x = ctx.store.read(input);
  const pairs = input.isComplex ? [2] : [];
  const shape = [...index.shape, ...pairs];
  if (numel(index.shape) === 0) {
    const none = sliceAxis(emit, reshapeTo(emit, x, [numel(x.shape)]), 0, 0, 0);
    return { typed: reshapeTo(emit, none, shape), as: type };
  }
  const source = input.shape.length === 0 ? reshapeTo(emit, x, [1, ...pairs]) : x;
  const size = input.shape[axis] ?? 1;
  const rows = placesWithin(ctx, index, { from: 0, below: size }, outOfBounds(axis, size));
  const places = overPairs(emit, rows, input);
  const taken = emit.op("GatherElements", [source, places], { axis });
  return { typed: reshapeTo(emit, taken, shape), as: type };
}

/** `gather` whose index broadcasts; along an axis it goes round as often as it is beyond the end. */
export const takeAlongDim = torchCall({
  name: "take_along_dim",
  in: both,
  params: { input: tensor, indices: tensor, dim: optional(int) },
  keepsMask: true,
  moves: true,
  savesFor: { input: ["input"] },
  savesOf: ({ input, indices, dim }, requiresGrad) =>
    dim === null && requiresGrad(input) ? [indices] : [],
  build: (ctx, { input, indices: index, dim }) => {
    const { emit } = ctx;
    if (dim === null) for (const tensor of [input, index]) needFlatView(tensor);
    if (!isIndex(index))
      throw torchError(
        "RuntimeError",
        `torch.take_along_dim(): dtype of indices should be Long but got ${cppName(typeOf(index))}`,
      );
    const rank = input.shape.length;
    const x = ctx.store.read(input);
    if (dim === null) {
      const below = numel(input.shape);
      const flat = reshapeTo(emit, x, [below]);
      const given = placesWithin(ctx, index, { from: 0, below }, outOfBounds(0, below));
      const places = reshapeTo(emit, given, [numel(index.shape)]);
      return { typed: emit.op("GatherElements", [flat, places], { axis: 0 }), as: typeOf(input) };
    }
    if (rank !== index.shape.length)
      throw torchError(
        "RuntimeError",
        `torch.take_along_dim(): input and indices should have the same number of dimensions, but got ${rank} dimensions for input, and ${index.shape.length} dimensions for indices`,
      );
    const axis = wrapAxis(dim, rank);
    const others = broadcastShapes(
      "take_along_dim",
      input.shape.with(axis, 1),
      index.shape.with(axis, 1),
    );
    const source = expandTo(emit, x, others.with(axis, input.shape[axis] as number));
    const size = emit.scalar(input.shape[axis] as number, "int64");
    const given = emit.op("Mod", [readIndex(ctx, index), size], { fmod: 0 });
    const places = expandTo(emit, given, others.with(axis, index.shape[axis] as number));
    return { typed: emit.op("GatherElements", [source, places], { axis }), as: typeOf(input) };
  },
});

function needFlatView(tensor: Tensor): void {
  if (viewStrides(tensor, [numel(tensor.shape)]) === null)
    throw torchError(
      "RuntimeError",
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
    );
}

/** Elements by their place in the row-major order. */
export const take = torchCall({
  name: "take",
  in: both,
  params: { input: tensor, index: tensor },
  saves: ["input", "index"],
  keepsMask: true,
  moves: true,
  build: (ctx, { input, index }) => {
    if (index.dtype !== "int64")
      throw torchError(
        "RuntimeError",
        `take(): Expected a long tensor for index, but got ${cppName(typeOf(index))}`,
      );
    const length = numel(input.shape);
    const places = placesWithin(ctx, index, { from: -length, below: length }, (at) =>
      torchError(
        "IndexError",
        `out of range: tried to access index ${at} on a tensor of ${length} elements.`,
      ),
    );
    const flat = reshapeTo(ctx.emit, ctx.store.read(input), [length]);
    const taken = ctx.emit.op("Gather", [flat, places], { axis: 0 });
    return { typed: reshapeTo(ctx.emit, taken, index.shape), as: typeOf(input) };
  },
});

/** The elements where the mask holds, in one row: how many is a question for the numbers. */
export const maskedSelect = torchCall({
  name: "masked_select",
  in: both,
  params: { input: tensor, mask: tensor },
  keepsMask: true,
  moves: true,
  savesFor: { input: ["input", "mask"] },
  build: (ctx, { input, mask }) => {
    const { emit } = ctx;
    if (mask.dtype !== "bool")
      throw torchError("RuntimeError", "masked_select: expected BoolTensor for mask");
    const shape = commonShape(mask, input);
    const pairs = input.isComplex ? [2] : [];
    // Axes of size 1 stand before those that the input has, and its pairs behind.
    const lead = shape.slice(input.shape.length).map(() => 1);
    const whole = reshapeTo(emit, ctx.store.read(input), [...lead, ...valueShape(input)]);
    const full = expandTo(emit, whole, [...shape, ...pairs]);
    const places = flatPositions(ctx, mask, shape);
    const index = emit.constant(indices(places, [places.length]));
    const flat = reshapeTo(emit, full, [numel(shape), ...pairs]);
    return { typed: emit.op("Gather", [flat, index], { axis: 0 }), as: typeOf(input) };
  },
});

/** The broadcast shape, with PyTorch's refusal. */
export function commonShape(a: Tensor, b: Tensor): number[] {
  const rank = Math.max(a.shape.length, b.shape.length);
  return Array.from({ length: rank }, (_, axis) => {
    const sizeA = a.shape[axis - rank + a.shape.length] ?? 1;
    const sizeB = b.shape[axis - rank + b.shape.length] ?? 1;
    if (sizeA !== sizeB && sizeA !== 1 && sizeB !== 1)
      throw torchError(
        "RuntimeError",
        `The size of tensor a (${sizeA}) must match the size of tensor b (${sizeB}) at non-singleton dimension ${axis}`,
      );
    return sizeA === 1 ? sizeB : sizeA;
  });
}

/** Where the mask holds, once it is broadcast to `shape`. */
function flatPositions(ctx: CallContext, mask: Tensor, shape: readonly number[]): number[] {
  const numbers = ctx.store.numbers(mask);
  const from = broadcastIndex(mask.shape, shape);
  const places: number[] = [];
  for (let at = 0; at < numel(shape); at++)
    if (numbers[from ? (from[at] as number) : at]) places.push(at);
  return places;
}

/** Where elements are that are not 0: one row each, or one tensor per axis. */
export const nonzero = torchCall({
  name: "nonzero",
  in: both,
  params: { input: tensor, as_tuple: keyword(withDefault(bool, false)) },
  build: (ctx, { input, as_tuple }): Result =>
    as_tuple ? placesPerAxis(ctx, input) : placesInRows(ctx, input),
});

export const argwhere = torchCall({
  name: "argwhere",
  in: both,
  params: { input: tensor },
  build: (ctx, { input }) => placesInRows(ctx, input),
});

/** What torch.where of a condition alone gives: PyTorch's are views of the rows. */
export function placesPerAxis(ctx: CallContext, input: Tensor): Tensor[] {
  const axes =
    input.shape.length === 0
      ? [Float64Array.from(countHolding(ctx, input), () => 0)]
      : positionsOf(ctx, input);
  return axes.map((places) => {
    const column = ctx.emit.constant(indices(places, [places.length]));
    const tensor = ctx.store.fromValue(column, false);
    tensor.hasHiddenBase = true;
    return tensor;
  });
}

const countHolding = (ctx: CallContext, input: Tensor) =>
  ctx.store.numbers(holding(ctx, input)).filter((x) => x !== 0);

function placesInRows(ctx: CallContext, input: Tensor): Tensor {
  const axes = positionsOf(ctx, input);
  const count = axes[0]?.length ?? countHolding(ctx, input).length;
  // PyTorch lays out the places of one axis after those of the other.
  const rows = Array.from({ length: count }, (_, at) => axes.map((places) => places[at] as number));
  const table = ctx.emit.constant(indices(rows.flat(), [count, axes.length]));
  return ctx.store.fromValue(table, false, [1, count]);
}
