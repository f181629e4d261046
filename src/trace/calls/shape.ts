/** Views: other windows on the same elements. */
import { torchError } from "../../errors.ts";
import { numel } from "../../graph/tensor.ts";
import { reshapeTo } from "../../ops/write.ts";
import {
  dtype,
  either,
  int,
  ints,
  oneName,
  optional,
  sizes,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { type MemoryFormat, stridesOf } from "../layout/strides.ts";
import { detachStep } from "../passThrough.ts";
import type { Tensor } from "../tensor.ts";
import {
  aliased,
  distinctAxes,
  expanded,
  permuted,
  reshaped,
  resolveShape,
  viewStrides,
  wrapDim,
} from "../views.ts";
import { needExpandable } from "./matmulErrors.ts";

const both = ["torch", "Tensor"] as const;

export function viewAs(ctx: CallContext, input: Tensor, size: readonly number[]): Tensor {
  const shape = resolveShape(size, numel(input.shape));
  const strides = viewStrides(input, shape);
  if (strides === null)
    throw torchError(
      "RuntimeError",
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
    );
  return reshaped(ctx.store, input, shape, strides);
}

/** A view where the strides allow one, else a copy. */
export function reshape(ctx: CallContext, input: Tensor, size: readonly number[]): Tensor {
  const shape = resolveShape(size, numel(input.shape));
  const strides = viewStrides(input, shape);
  if (strides !== null) return reshaped(ctx.store, input, shape, strides);
  const full = input.isComplex ? [...shape, 2] : shape;
  const copy = ctx.store.fromValue(
    reshapeTo(ctx.emit, ctx.store.read(input), full),
    input.isComplex,
  );
  copy.masked = input.masked;
  return copy;
}

/** A tensor of its own with the same elements, in the same format unless another is given. */
export function copyOf(
  ctx: CallContext,
  input: Tensor,
  format: MemoryFormat = "preserve_format",
): Tensor {
  const value = ctx.emit.op("Identity", [ctx.store.read(input)]);
  const copy = ctx.store.fromValue(value, input.isComplex, stridesOf(format, input));
  copy.masked = input.masked;
  return copy;
}

export const view = torchCall({
  name: "view",
  in: ["Tensor"],
  params: { input: tensor, size: { ...either(sizes, dtype), variadic: true } },
  moves: true,
  build: (ctx, { input, size }) => {
    if ("dtype" in size && size.dtype === input.dtype && size.isComplex === input.isComplex)
      return aliased(ctx.store, input, detachStep);
    if ("dtype" in size)
      throw torchError("UnsupportedCall", "Tensor.view with a dtype is not supported");
    return viewAs(ctx, input, size);
  },
});

export const reshapeCall = torchCall({
  name: "reshape",
  in: both,
  params: { input: tensor, shape: sizes },
  moves: true,
  build: (ctx, { input, shape }) => reshape(ctx, input, shape),
});

export const viewAsCall = torchCall({
  name: "view_as",
  in: ["Tensor"],
  params: { input: tensor, other: tensor },
  moves: true,
  build: (ctx, { input, other }) => viewAs(ctx, input, other.shape),
});

export const reshapeAs = torchCall({
  name: "reshape_as",
  in: ["Tensor"],
  params: { input: tensor, other: tensor },
  moves: true,
  build: (ctx, { input, other }) => reshape(ctx, input, other.shape),
});

export const flatten = torchCall({
  name: "flatten",
  in: both,
  params: { input: tensor, start_dim: withDefault(int, 0), end_dim: withDefault(int, -1) },
  moves: true,
  build: (ctx, { input, start_dim, end_dim }) => {
    const { shape } = input;
    const start = wrapDim(start_dim, shape.length);
    const end = wrapDim(end_dim, shape.length);
    if (shape.length === 0) return reshape(ctx, input, [1]);
    if (start === end) return input;
    if (start > end)
      throw torchError(
        "RuntimeError",
        "flatten() has invalid args: start_dim cannot come after end_dim",
      );
    const joined = numel(shape.slice(start, end + 1));
    return reshape(ctx, input, [...shape.slice(0, start), joined, ...shape.slice(end + 1)]);
  },
});

export const unflatten = torchCall({
  name: "unflatten",
  in: both,
  params: { input: tensor, dim: oneName(int), sizes: ints },
  moves: true,
  build: (ctx, { input, dim, sizes }) => {
    if (sizes.length === 0) throw torchError("RuntimeError", "unflatten: sizes must be non-empty");
    const axis = wrapDim(dim, input.shape.length);
    const size = input.shape[axis] as number;
    refuseFactors(sizes, axis, size);
    const inner = resolveShape(sizes, size);
    return reshape(ctx, input, [
      ...input.shape.slice(0, axis),
      ...inner,
      ...input.shape.slice(axis + 1),
    ]);
  },
});

function refuseFactors(sizes: readonly number[], axis: number, size: number): void {
  const known = numel(sizes.filter((factor) => factor !== -1));
  const isOpen = sizes.filter((factor) => factor === -1).length === 1;
  if (isOpen ? known > 0 && size % known !== 0 : known !== size && !sizes.includes(-1))
    throw torchError(
      "RuntimeError",
      `unflatten: Provided sizes [${sizes.join(", ")}] don't multiply up to the size of dim ${axis} (${size}) in the input tensor`,
    );
}

function swapped(ctx: CallContext, input: Tensor, dim0: number, dim1: number): Tensor {
  const rank = input.shape.length;
  const [a, b] = [wrapDim(dim0, rank), wrapDim(dim1, rank)];
  if (rank === 0) return reshaped(ctx.store, input, [], []);
  const perm = input.shape.map((_, axis) => axis);
  perm[a] = b;
  perm[b] = a;
  return permuted(ctx.store, input, perm);
}

export const transpose = torchCall({
  name: "transpose",
  in: both,
  params: { input: tensor, dim0: int, dim1: int },
  moves: true,
  build: (ctx, { input, dim0, dim1 }) => swapped(ctx, input, dim0, dim1),
});
export const swapaxes = torchCall({ ...transpose, name: "swapaxes" });
export const swapdims = torchCall({ ...transpose, name: "swapdims" });

export const t = torchCall({
  name: "t",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => {
    const rank = input.shape.length;
    if (rank > 2)
      throw torchError(
        "RuntimeError",
        `t() expects a tensor with <= 2 dimensions, but self is ${rank}D`,
      );
    return swapped(ctx, input, 0, rank < 2 ? 0 : 1);
  },
});

export const permute = torchCall({
  name: "permute",
  in: both,
  params: { input: tensor, dims: sizes },
  moves: true,
  build: (ctx, { input, dims }) => {
    const rank = input.shape.length;
    if (dims.length !== rank)
      throw torchError(
        "RuntimeError",
        `permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ${rank} is not equal to len(dims) = ${dims.length}`,
      );
    const axes = dims.map((dim) => wrapDim(dim, rank));
    if (hasTwice(axes))
      throw torchError("RuntimeError", "permute(): duplicate dims are not allowed.");
    return permuted(ctx.store, input, axes);
  },
});

export const movedim = torchCall({
  name: "movedim",
  in: both,
  params: { input: tensor, source: ints, destination: ints },
  moves: true,
  build: (ctx, { input, source, destination }) => {
    const rank = input.shape.length;
    if (source.length !== destination.length) throw unpairedDims(source, destination);
    const from = source.map((dim) => wrapDim(dim, rank));
    const to = destination.map((dim) => wrapDim(dim, rank));
    if (hasTwice(from)) throw repeatedDim("source", source);
    if (hasTwice(to)) throw repeatedDim("destination", destination);
    const rest = input.shape.map((_, axis) => axis).filter((axis) => !from.includes(axis));
    const perm = input.shape.map((_, axis) => {
      const moved = to.indexOf(axis);
      return moved >= 0 ? (from[moved] as number) : (rest.shift() as number);
    });
    return permuted(ctx.store, input, perm);
  },
});
export const moveaxis = torchCall({ ...movedim, name: "moveaxis" });

const hasTwice = (axes: readonly number[]) => new Set(axes).size < axes.length;

const repeatedDim = (which: string, dims: readonly number[]) =>
  torchError("RuntimeError", `movedim: repeated dim in \`${which}\` ([${dims.join(", ")}])`);

const unpairedDims = (source: readonly number[], destination: readonly number[]) =>
  torchError(
    "RuntimeError",
    `movedim: Invalid source or destination dims: source ([${source.join(", ")}] dims) should contain the same number of dims as destination ([${destination.join(", ")}] dims)`,
  );

export const expand = torchCall({
  name: "expand",
  in: ["Tensor"],
  params: { input: tensor, size: sizes },
  moves: true,
  build: (ctx, { input, size }) => expanded(ctx.store, input, sizesOf(input, size)),
});

/** The sizes that `shape` asks for; −1 keeps an axis as it is. */
function sizesOf(tensor: Tensor, shape: readonly number[]): number[] {
  const extra = shape.length - tensor.shape.length;
  const newAxis = shape.slice(0, Math.max(extra, 0)).indexOf(-1);
  if (newAxis >= 0)
    throw torchError(
      "RuntimeError",
      `The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ${newAxis}`,
    );
  const target = shape.map((size, axis) =>
    size === -1 ? (tensor.shape[axis - extra] as number) : size,
  );
  needExpandable(tensor, target, shape);
  return target;
}

export const expandAs = torchCall({
  name: "expand_as",
  in: ["Tensor"],
  params: { input: tensor, other: tensor },
  moves: true,
  build: (ctx, { input, other }) => expanded(ctx.store, input, sizesOf(input, other.shape)),
});

export const broadcastTo = torchCall({
  name: "broadcast_to",
  in: both,
  params: { input: tensor, size: sizes },
  moves: true,
  build: (ctx, { input, size }) => expanded(ctx.store, input, sizesOf(input, size)),
});

export const unsqueeze = torchCall({
  name: "unsqueeze",
  in: both,
  params: { input: tensor, dim: int },
  moves: true,
  build: (ctx, { input, dim }) => {
    const axis = wrapDim(dim, input.shape.length + 1);
    const shape = [...input.shape.slice(0, axis), 1, ...input.shape.slice(axis)];
    const inner = (input.shape[axis] ?? 1) * (input.strides[axis] ?? 1);
    const strides = [...input.strides.slice(0, axis), inner, ...input.strides.slice(axis)];
    return reshaped(ctx.store, input, shape, strides);
  },
});

export const squeeze = torchCall({
  name: "squeeze",
  in: both,
  params: { input: tensor, dim: optional(ints) },
  moves: true,
  build: (ctx, { input, dim }) => {
    const rank = input.shape.length;
    const chosen = dim ? distinctAxes(dim, rank) : input.shape.map((_, axis) => axis);
    const keep = input.shape.flatMap((size, axis) =>
      size === 1 && chosen.includes(axis) ? [] : [axis],
    );
    return reshaped(
      ctx.store,
      input,
      keep.map((axis) => input.shape[axis] as number),
      keep.map((axis) => input.strides[axis] as number),
    );
  },
});
