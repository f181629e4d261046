/** Taking tensors apart and putting them together. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { either, int, ints, oneName, sizes, tensor, tensors, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { heldAs, isComplexType, resultTypeOfAll } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { sliced, wrapDim } from "../views.ts";
import { unreached } from "./derivatives.ts";
import { reshape } from "./shape.ts";
import { selectAxis } from "./windows.ts";

const both = ["torch", "Tensor"] as const;

function typedParts(
  ctx: CallContext,
  parts: readonly Tensor[],
  type: Typed["as"] = resultTypeOfAll(parts),
): { values: Value[]; type: Typed["as"] } {
  const held = heldAs(type);
  const values = parts.map((part) => {
    if (isComplexType(type)) return ctx.as(part, type);
    const value = ctx.store.read(part);
    return value.dtype === held.dtype ? value : ctx.emit.op("Cast", [value], { to: held.dtype });
  });
  return { values, type };
}

export const cat = torchCall({
  name: "cat",
  in: ["torch"],
  params: { tensors, dim: withDefault(int, 0) },
  keepsMask: true,
  moves: true,
  build: (ctx, { tensors: given, dim }) => {
    if (given.length === 0)
      throw torchError("RuntimeError", "torch.cat(): expected a non-empty list of Tensors");
    // A one-dimensional tensor without elements joins anything.
    const parts = given.filter((part) => !(part.shape.length === 1 && part.shape[0] === 0));
    const first = parts[0] ?? (given[0] as Tensor);
    if (first.shape.length === 0)
      throw torchError(
        "RuntimeError",
        "zero-dimensional tensor (at position 0) cannot be concatenated",
      );
    const type = resultTypeOfAll(given);
    const joins = (made: Value) =>
      given
        .filter((part) => !parts.includes(part) && ctx.store.requiresGrad(part))
        .reduce((y, part) => unreached(ctx.emit, y, ctx.store.read(part)), made);
    if (parts.length === 0) return { typed: joins(ctx.as(first, type)), as: type };
    const axis = wrapDim(dim, first.shape.length);
    parts.forEach((part, at) => {
      refuseMisfit(first, part, axis, at);
    });
    const { values } = typedParts(ctx, parts, type);
    const joined = ctx.emit.op("Concat", values, { axis });
    return { typed: joins(joined), as: type };
  },
});
export const concat = torchCall({ ...cat, name: "concat" });
export const concatenate = torchCall({ ...cat, name: "concatenate" });

function refuseMisfit(first: Tensor, part: Tensor, axis: number, at: number): void {
  if (part.shape.length !== first.shape.length)
    throw torchError(
      "RuntimeError",
      `Tensors must have same number of dimensions: got ${first.shape.length} and ${part.shape.length}`,
    );
  part.shape.forEach((size, a) => {
    if (a !== axis && size !== first.shape[a])
      throw torchError(
        "RuntimeError",
        `Sizes of tensors must match except in dimension ${axis}. Expected size ${first.shape[a]} but got size ${size} for tensor number ${at} in the list.`,
      );
  });
}

export const stack = torchCall({
  name: "stack",
  in: ["torch"],
  params: { tensors, dim: withDefault(int, 0) },
  keepsMask: true,
  moves: true,
  build: (ctx, { tensors: parts, dim }) => {
    const [first] = parts;
    if (!first) throw torchError("RuntimeError", "stack expects a non-empty TensorList");
    const axis = wrapDim(dim, first.shape.length + 1);
    parts.forEach((part, at) => {
      if (part.shape.join() !== first.shape.join())
        throw torchError(
          "RuntimeError",
          `stack expects each tensor to be equal size, but got [${first.shape.join(", ")}] at entry 0 and [${part.shape.join(", ")}] at entry ${at}`,
        );
    });
    const { values, type } = typedParts(ctx, parts);
    const axes = ctx.emit.ints([axis]);
    const raised = values.map((value) => ctx.emit.op("Unsqueeze", [value, axes]));
    return { typed: ctx.emit.op("Concat", raised, { axis }), as: type };
  },
});

/** hstack, vstack, dstack: cat along an axis after raising to a rank. */
function stacked(name: string, minRank: number, axisOf: (rank: number) => number) {
  return torchCall({
    name,
    in: ["torch"],
    params: { tensors },
    keepsMask: true,
    moves: true,
    build: (ctx, { tensors: parts }) => {
      const raised = parts.map((part) => {
        const { shape } = part;
        if (shape.length >= minRank) return part;
        if (minRank === 1) return reshape(ctx, part, [1]);
        if (minRank === 2) return reshape(ctx, part, [1, shape[0] ?? 1]);
        return reshape(ctx, part, shape.length === 2 ? [...shape, 1] : [1, shape[0] ?? 1, 1]);
      });
      const rank = raised[0]?.shape.length ?? minRank;
      return cat.build(ctx, { tensors: raised, dim: axisOf(rank) });
    },
  });
}

export const hstack = stacked("hstack", 1, (rank) => (rank === 1 ? 0 : 1));
export const vstack = stacked("vstack", 2, () => 0);
export const dstack = stacked("dstack", 3, () => 2);

/** Parts of the given lengths along an axis, which PyTorch gives as one call's: not to be edited. */
export const splitInto = (
  ctx: CallContext,
  input: Tensor,
  axis: number,
  lengths: readonly number[],
): Tensor[] => partsOf(ctx, input, axis, lengths, "Split");

/** Parts that PyTorch takes as one slice each. */
const slicesOf = (
  ctx: CallContext,
  input: Tensor,
  axis: number,
  lengths: readonly number[],
): Tensor[] => partsOf(ctx, input, axis, lengths, null);

/** One Split for all. */
function partsOf(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  lengths: readonly number[],
  call: string | null,
): Tensor[] {
  const known = input.storage.value === null && !ctx.inStep;
  const values =
    known || lengths.length < 2
      ? []
      : ctx.emit.ops(
          "Split",
          [ctx.store.read(input), ctx.emit.ints(lengths)],
          { axis },
          lengths.length,
        );
  let start = 0;
  return lengths.map((length, at) => {
    const range = { axis, start, stop: start + length, step: 1 };
    const offset = input.offset + start * (input.strides[axis] as number);
    start += length;
    const shape = input.shape.map((size, a) => (a === axis ? length : size));
    const value = values[at];
    return sliced(
      ctx.store,
      input,
      [range],
      { shape, strides: input.strides, offset },
      {
        ...(value ? { value } : {}),
        ...(call === null ? {} : { oneOfMany: { call, output: at } }),
      },
    );
  });
}

function equalParts(size: number, part: number): number[] {
  if (size === 0) return [0];
  return Array.from({ length: Math.ceil(size / part) }, (_, i) => Math.min(part, size - i * part));
}

function checkPart(size: number, part: number): void {
  if (part < 0)
    throw torchError(
      "RuntimeError",
      `split expects split_size be non-negative, but got split_size=${part}`,
    );
  if (part === 0 && size > 0)
    throw torchError(
      "RuntimeError",
      `split_size can only be 0 if dimension size is 0, but got dimension size of ${size}`,
    );
}

export const split = torchCall({
  name: "split",
  in: ["torch"],
  params: {
    input: tensor,
    split_size_or_sections: either(int, ints),
    dim: oneName(withDefault(int, 0)),
  },
  moves: true,
  build: (ctx, args) => {
    const { input, split_size_or_sections: given, dim } = args;
    if (input.shape.length === 0)
      throw torchError("RuntimeError", "split expects at least a 1-dimensional tensor");
    const axis = wrapDim(dim, input.shape.length);
    const size = input.shape[axis] as number;
    if (typeof given === "number") {
      checkPart(size, given);
      return splitInto(ctx, input, axis, equalParts(size, given));
    }
    if (given.some((n) => n < 0))
      throw torchError(
        "RuntimeError",
        `split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=[${given.join(", ")}]`,
      );
    if (given.reduce((sum, n) => sum + n, 0) !== size)
      throw torchError(
        "RuntimeError",
        `split_with_sizes expects split_sizes to sum exactly to ${size} (input tensor's size at dimension ${dim}), but got split_sizes=[${given.join(", ")}]`,
      );
    return splitInto(ctx, input, axis, given);
  },
});

/** As a method its argument has another name. */
export const methodSplit = torchCall({
  name: "split",
  key: "Tensor.split",
  in: ["Tensor"],
  params: { input: tensor, split_size: either(int, ints), dim: oneName(withDefault(int, 0)) },
  moves: true,
  build: (ctx, { input, split_size, dim }) =>
    split.build(ctx, { input, split_size_or_sections: split_size, dim }),
});

export const splitWithSizes = torchCall({
  name: "split_with_sizes",
  in: both,
  params: { input: tensor, split_sizes: ints, dim: withDefault(int, 0) },
  moves: true,
  build: (ctx, { input, split_sizes, dim }) =>
    split.build(ctx, { input, split_size_or_sections: split_sizes, dim }),
});

export const chunk = torchCall({
  name: "chunk",
  in: both,
  params: { input: tensor, chunks: int, dim: withDefault(int, 0) },
  moves: true,
  build: (ctx, { input, chunks, dim }) => {
    if (input.shape.length === 0)
      throw torchError("RuntimeError", "chunk expects at least a 1-dimensional tensor");
    if (chunks <= 0)
      throw torchError(
        "RuntimeError",
        `chunk expects \`chunks\` to be greater than 0, got: ${chunks}`,
      );
    const axis = wrapDim(dim, input.shape.length);
    const size = input.shape[axis] as number;
    if (size === 0) return splitInto(ctx, input, axis, new Array<number>(chunks).fill(0));
    return splitInto(ctx, input, axis, equalParts(size, Math.max(1, Math.ceil(size / chunks))));
  },
});

export const tensorSplit = torchCall({
  name: "tensor_split",
  in: both,
  params: { input: tensor, indices_or_sections: either(int, ints), dim: withDefault(int, 0) },
  moves: true,
  build: (ctx, { input, indices_or_sections: given, dim }) => {
    if (input.shape.length === 0)
      throw torchError(
        "RuntimeError",
        "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
      );
    const axis = wrapDim(dim, input.shape.length);
    const size = input.shape[axis] as number;
    if (typeof given !== "number") {
      const ends = [...given, size];
      return slicesOf(
        ctx,
        input,
        axis,
        ends.map((end, i) => end - (i === 0 ? 0 : (ends[i - 1] as number))),
      );
    }
    if (given <= 0)
      throw torchError("RuntimeError", `number of sections must be larger than 0, got ${given}`);
    const small = Math.floor(size / given);
    const lengths = Array.from({ length: given }, (_, i) => small + (i < size % given ? 1 : 0));
    return slicesOf(ctx, input, axis, lengths);
  },
});

export const unbind = torchCall({
  name: "unbind",
  in: both,
  params: { input: tensor, dim: withDefault(int, 0) },
  moves: true,
  build: (ctx, { input, dim }) => {
    const axis = wrapDim(dim, input.shape.length);
    if (input.shape.length === 0)
      throw torchError("IndexError", `Dimension specified as ${axis} but tensor has no dimensions`);
    const size = input.shape[axis] as number;
    return Array.from({ length: size }, (_, at) =>
      selectAxis(ctx, input, axis, at, { call: "Unbind", output: at }),
    );
  },
});

export const repeat = torchCall({
  name: "repeat",
  in: ["Tensor"],
  params: { input: tensor, repeats: sizes },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, repeats }) => {
    const extra = repeats.length - input.shape.length;
    if (extra < 0)
      throw torchError(
        "RuntimeError",
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
      );
    const raised = reshape(ctx, input, [...repeats.slice(0, extra).map(() => 1), ...input.shape]);
    const times = ctx.emit.ints(input.isComplex ? [...repeats, 1] : repeats);
    const value = ctx.emit.op("Tile", [ctx.store.read(raised), times]);
    return { typed: value, as: input.isComplex ? "complex64" : input.dtype };
  },
});

export const tile = torchCall({
  name: "tile",
  in: both,
  params: { input: tensor, dims: sizes },
  moves: true,
  build: (ctx, { input, dims }) => {
    const extra = Math.max(0, input.shape.length - dims.length);
    return repeat.build(ctx, { input, repeats: [...new Array<number>(extra).fill(1), ...dims] });
  },
});
