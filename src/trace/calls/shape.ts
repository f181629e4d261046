/** Views: other windows on the same elements. */
import { torchError } from "../../errors.ts";
import { numel } from "../../graph/tensor.ts";
import {
  type Arg,
  anything,
  either,
  int,
  ints,
  isDType,
  optional,
  sizes,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { detachStep } from "../store.ts";
import { isContiguous, type Tensor, valueShape } from "../tensor.ts";
import {
  aliased,
  expanded,
  lengthOf,
  permuted,
  reshaped,
  resolveShape,
  sliced,
  strided,
  viewStrides,
  wrapDim,
} from "../views.ts";

const both = ["torch", "Tensor"] as const;

function viewAs(ctx: CallContext, input: Tensor, size: readonly number[]): Tensor {
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
  const copy = copyOf(ctx, input);
  return reshaped(ctx.store, copy, shape, viewStrides(copy, shape) ?? []);
}

/** A tensor of its own with the same elements, contiguous. */
export function copyOf(ctx: CallContext, input: Tensor): Tensor {
  const value = ctx.store.read(input);
  const copy = ctx.store.fromValue(ctx.emit.op("Identity", [value]), input.isComplex);
  copy.masked = input.masked;
  return copy;
}

export const view = torchCall({
  name: "view",
  in: ["Tensor"],
  params: { input: tensor, size: { ...either(sizes, anything), variadic: true } },
  moves: true,
  build: (ctx, { input, size }) => {
    if (isDType(size as Arg))
      throw torchError("UnsupportedCall", "Tensor.view with a dtype is not supported");
    return viewAs(ctx, input, size as readonly number[]);
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
    if (shape.length === 0) return reshape(ctx, input, [1]);
    const start = wrapDim(start_dim, shape.length);
    const end = wrapDim(end_dim, shape.length);
    if (start === end) return input;
    const joined = numel(shape.slice(start, end + 1));
    return reshape(ctx, input, [...shape.slice(0, start), joined, ...shape.slice(end + 1)]);
  },
});

export const unflatten = torchCall({
  name: "unflatten",
  in: both,
  params: { input: tensor, dim: int, sizes: ints },
  moves: true,
  build: (ctx, { input, dim, sizes }) => {
    const axis = wrapDim(dim, input.shape.length);
    const inner = resolveShape(sizes, input.shape[axis] as number);
    return reshape(ctx, input, [
      ...input.shape.slice(0, axis),
      ...inner,
      ...input.shape.slice(axis + 1),
    ]);
  },
});

function swapped(ctx: CallContext, input: Tensor, dim0: number, dim1: number): Tensor {
  const rank = input.shape.length;
  if (rank === 0) return input;
  const perm = input.shape.map((_, axis) => axis);
  const [a, b] = [wrapDim(dim0, rank), wrapDim(dim1, rank)];
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
  build: (ctx, { input }) => (input.shape.length < 2 ? input : swapped(ctx, input, 0, 1)),
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
    return permuted(
      ctx.store,
      input,
      dims.map((dim) => wrapDim(dim, rank)),
    );
  },
});

export const movedim = torchCall({
  name: "movedim",
  in: both,
  params: { input: tensor, source: ints, destination: ints },
  moves: true,
  build: (ctx, { input, source, destination }) => {
    const rank = input.shape.length;
    const from = source.map((dim) => wrapDim(dim, rank));
    const to = destination.map((dim) => wrapDim(dim, rank));
    const rest = input.shape.map((_, axis) => axis).filter((axis) => !from.includes(axis));
    const perm = input.shape.map((_, axis) => {
      const moved = to.indexOf(axis);
      return moved >= 0 ? (from[moved] as number) : (rest.shift() as number);
    });
    return permuted(ctx.store, input, perm);
  },
});
export const moveaxis = torchCall({ ...movedim, name: "moveaxis" });

export const expand = torchCall({
  name: "expand",
  in: ["Tensor"],
  params: { input: tensor, size: sizes },
  moves: true,
  build: (ctx, { input, size }) => expanded(ctx.store, input, size),
});

export const expandAs = torchCall({
  name: "expand_as",
  in: ["Tensor"],
  params: { input: tensor, other: tensor },
  moves: true,
  build: (ctx, { input, other }) => expanded(ctx.store, input, other.shape),
});

export const broadcastTo = torchCall({
  name: "broadcast_to",
  in: both,
  params: { input: tensor, size: sizes },
  moves: true,
  build: (ctx, { input, size }) => expanded(ctx.store, input, size),
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
    const chosen = dim?.map((d) => wrapDim(d, rank)) ?? input.shape.map((_, axis) => axis);
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

export const narrow = torchCall({
  name: "narrow",
  in: both,
  params: { input: tensor, dim: int, start: int, length: int },
  moves: true,
  build: (ctx, { input, dim, start, length }) => {
    const axis = wrapDim(dim, input.shape.length);
    const from = start < 0 ? start + (input.shape[axis] as number) : start;
    return sliceAxis(ctx, input, axis, from, from + length);
  },
});

export const select = torchCall({
  name: "select",
  in: both,
  params: { input: tensor, dim: int, index: int },
  moves: true,
  build: (ctx, { input, dim, index }) =>
    selectAxis(ctx, input, wrapDim(dim, input.shape.length), index),
});

/** x[…, start:stop, …] along one axis. */
export function sliceAxis(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  start: number,
  stop: number,
): Tensor {
  const size = input.shape[axis] as number;
  if (start < 0 || stop > size || stop < start)
    throw torchError(
      "RuntimeError",
      `start (${start}) + length (${stop - start}) exceeds dimension size (${size}).`,
    );
  const range = { axis, start, stop, step: 1 };
  return sliced(ctx.store, input, [range], {
    shape: input.shape.map((s, a) => (a === axis ? lengthOf(range) : s)),
    strides: input.strides,
    offset: input.offset + start * (input.strides[axis] as number),
  });
}

export function selectAxis(ctx: CallContext, input: Tensor, axis: number, index: number): Tensor {
  const size = input.shape[axis] as number;
  const at = index < 0 ? index + size : index;
  if (at < 0 || at >= size)
    throw torchError(
      "IndexError",
      `index ${index} is out of bounds for dimension ${axis} with size ${size}`,
    );
  return sliced(ctx.store, input, [{ axis, start: at, stop: at + 1, step: 1 }], {
    shape: input.shape.filter((_, a) => a !== axis),
    strides: input.strides.filter((_, a) => a !== axis),
    offset: input.offset + at * (input.strides[axis] as number),
  });
}

export const diagonal = torchCall({
  name: "diagonal",
  in: both,
  params: {
    input: tensor,
    offset: withDefault(int, 0),
    dim1: withDefault(int, 0),
    dim2: withDefault(int, 1),
  },
  moves: true,
  build: (ctx, { input, offset, dim1, dim2 }) => {
    const rank = input.shape.length;
    const [a, b] = [wrapDim(dim1, rank), wrapDim(dim2, rank)];
    const rows = (input.shape[a] as number) + Math.min(offset, 0);
    const columns = (input.shape[b] as number) - Math.max(offset, 0);
    const rest = input.shape.map((_, axis) => axis).filter((axis) => axis !== a && axis !== b);
    const [strideA, strideB] = [input.strides[a] as number, input.strides[b] as number];
    const skip = offset >= 0 ? offset * strideB : -offset * strideA;
    return strided(
      ctx.store,
      input,
      {
        shape: [
          ...rest.map((axis) => input.shape[axis] as number),
          Math.max(0, Math.min(rows, columns)),
        ],
        strides: [...rest.map((axis) => input.strides[axis] as number), strideA + strideB],
        offset: input.offset + skip,
      },
      "diagonal",
    );
  },
});

export const unfold = torchCall({
  name: "unfold",
  in: ["Tensor"],
  params: { input: tensor, dimension: int, size: int, step: int },
  moves: true,
  build: (ctx, { input, dimension, size, step }) => {
    const axis = wrapDim(dimension, input.shape.length);
    const count = Math.floor(((input.shape[axis] as number) - size) / step) + 1;
    const stride = input.strides[axis] as number;
    return strided(
      ctx.store,
      input,
      {
        shape: [...input.shape.map((s, a) => (a === axis ? count : s)), size],
        strides: [...input.strides.map((s, a) => (a === axis ? s * step : s)), stride],
        offset: input.offset,
      },
      "unfold",
    );
  },
});

export const asStrided = torchCall({
  name: "as_strided",
  in: both,
  params: { input: tensor, size: ints, stride: ints, storage_offset: optional(int) },
  moves: true,
  build: (ctx, { input, size, stride, storage_offset }) =>
    strided(
      ctx.store,
      input.storage.root,
      { shape: size, strides: stride, offset: storage_offset ?? input.offset },
      "as_strided",
    ),
});

export const detach = torchCall({
  name: "detach",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => aliased(ctx.store, input, detachStep),
});

/** The same elements, edits of which autograd does not see and does not count. */
export const dataOf = torchCall({
  name: "data",
  in: ["torch._C"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => aliased(ctx.store, input, detachStep, { version: { count: 0 } }),
});

export const alias = torchCall({
  name: "alias",
  in: ["torch._C"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => reshaped(ctx.store, input, input.shape, input.strides),
});

export const contiguous = torchCall({
  name: "contiguous",
  in: ["Tensor"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) =>
    isContiguous(input.shape, input.strides) ? input : copyOf(ctx, input),
});

export const clone = torchCall({
  name: "clone",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => copyOf(ctx, input),
});

export const viewAsReal = torchCall({
  name: "view_as_real",
  in: ["torch"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) =>
    ctx.store.view(
      input,
      {
        shape: valueShape(input),
        strides: [...input.strides.map((stride) => stride * 2), 1],
        offset: input.offset * 2,
        isComplex: false,
      },
      {
        name: "view_as_real",
        apply: (_emit, parent) => parent,
        write: (_emit, _parent, part) => part,
      },
    ),
});

export const viewAsComplex = torchCall({
  name: "view_as_complex",
  in: ["torch"],
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => {
    if (input.shape.at(-1) !== 2)
      throw torchError("RuntimeError", "Tensor must have a last dimension of size 2");
    return ctx.store.view(
      input,
      {
        shape: input.shape.slice(0, -1),
        strides: input.strides.slice(0, -1).map((stride) => stride / 2),
        offset: input.offset / 2,
        isComplex: true,
      },
      {
        name: "view_as_complex",
        apply: (_emit, parent) => parent,
        write: (_emit, _parent, part) => part,
      },
    );
  },
});
