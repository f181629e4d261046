/** Diagonals made into matrices and written into them; copies with one part replaced. */

import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { bytesOf, contiguousStrides, numel, sameShape } from "../../graph/tensor.ts";
import { castTo, expandTo, padBy, reshapeTo, selected, transpose } from "../../ops/write.ts";
import {
  bool,
  int,
  ints,
  keyword,
  optional,
  type Scalar,
  scalar,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Result, type Typed, torchCall } from "../call.ts";
import { refuseGradientsOf } from "../dispatch.ts";
import { offsets } from "../elements.ts";
import { refuseFill } from "../kernels.ts";
import { preservedStrides } from "../layout/strides.ts";
import { detachStep } from "../passThrough.ts";
import { typeOf } from "../promotion.ts";
import { isContiguous, isDense, repeatedAxes, type Tensor, valueShape } from "../tensor.ts";
import { strided, wrapDim } from "../views.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { pair, parts } from "./complexNumbers.ts";
import { refuseComplexGradient, refuseRealGradient, underivable } from "./derivatives.ts";
import { listed } from "./places.ts";
import { copyOf } from "./shape.ts";
import { sharedConstant } from "./sharedConstants.ts";
import { asStrided, diagonal, selectAt, sliceAxis as sliceView } from "./windows.ts";

const both = ["torch", "Tensor"] as const;

/** […, m] → […, n, n] with the numbers on a diagonal, n = m + |offset|. */
function embedded(ctx: CallContext, x: Value, offset: number): Value {
  const { emit } = ctx;
  const size = x.shape.at(-1) as number;
  const onDiagonal = sharedConstant(emit, `diagonal ${size}`, () => ({
    dtype: "bool",
    shape: [size, size],
    data: Uint8Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 1 : 0)),
  }));
  const column = reshapeTo(emit, x, [...x.shape, 1]);
  const table = emit.op("Where", [onDiagonal, column, emit.scalar(0, x.dtype)]);
  const lead = x.shape.slice(0, -1).map(() => 0);
  const [up, down] = [Math.max(offset, 0), Math.max(-offset, 0)];
  return padBy(emit, table, [...lead, down, up], [...lead, up, down]);
}

function needReal(input: Tensor): void {
  if (input.isComplex) leaveToPython();
}

export const diagEmbed = torchCall({
  name: "diag_embed",
  in: both,
  params: {
    input: tensor,
    offset: withDefault(int, 0),
    dim1: withDefault(int, -2),
    dim2: withDefault(int, -1),
  },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, offset, dim1, dim2 }): Typed => {
    needReal(input);
    const rank = input.shape.length + 1;
    const [a, b] = [wrapDim(dim1, rank), wrapDim(dim2, rank)];
    if (a === b)
      throw torchError("RuntimeError", `diagonal dimensions cannot be identical ${dim1}, ${dim2}`);
    const table = embedded(ctx, ctx.store.read(input), offset);
    let other = 0;
    const perm = table.shape.map((_, axis) =>
      axis === a ? rank - 2 : axis === b ? rank - 1 : other++,
    );
    return { typed: transpose(ctx.emit, table, perm), as: typeOf(input) };
  },
});

/** A vector on a diagonal; a matrix's diagonal. */
export const diag = torchCall({
  name: "diag",
  in: both,
  params: { input: tensor, diagonal: withDefault(int, 0) },
  keepsMask: true,
  moves: true,
  build: (ctx, { input, diagonal: offset }): Result => {
    const rank = input.shape.length;
    if (rank !== 1 && rank !== 2)
      throw torchError("RuntimeError", `diag(): Supports 1D or 2D tensors. Got ${rank}D`);
    if (rank === 1) {
      needReal(input);
      return { typed: embedded(ctx, ctx.store.read(input), offset), as: typeOf(input) };
    }
    return copyOf(ctx, diagonalOf(ctx, input, offset, 0, 1));
  },
});

const diagonalOf = (ctx: CallContext, input: Tensor, offset: number, dim1: number, dim2: number) =>
  diagonal.build(ctx, { input, offset, dim1, dim2 }) as Tensor;

/** torch.linalg.diagonal: of the last two axes. */
export const linalgDiagonal = torchCall({
  name: "diagonal",
  key: "linalg.diagonal",
  in: ["torch.linalg"],
  params: {
    A: tensor,
    offset: keyword(withDefault(int, 0)),
    dim1: keyword(withDefault(int, -2)),
    dim2: keyword(withDefault(int, -1)),
  },
  moves: true,
  build: (ctx, { A, offset, dim1, dim2 }) => diagonalOf(ctx, A, offset, dim1, dim2),
});

export const diagflat = torchCall({
  name: "diagflat",
  in: both,
  params: { input: tensor, offset: withDefault(int, 0) },
  moves: true,
  build: (ctx, { input, offset }): Typed => {
    needReal(input);
    const flat = reshapeTo(ctx.emit, ctx.store.read(input), [numel(input.shape)]);
    return { typed: embedded(ctx, flat, offset), as: typeOf(input) };
  },
});

export const fillDiagonal = torchCall({
  name: "fill_diagonal_",
  in: ["Tensor"],
  params: { input: tensor, fill_value: scalar, wrap: withDefault(bool, false) },
  edits: true,
  keepsMask: true,
  moves: true,
  build: (ctx, { input, fill_value, wrap }) => {
    const { emit } = ctx;
    const [rows, columns] = input.shape as [number, number];
    if (input.shape.length < 2) throw torchError("RuntimeError", "dimensions must larger than 1");
    if (input.shape.length > 2 && input.shape.some((size) => size !== rows))
      throw torchError("RuntimeError", "all dimensions of input must be of equal length");
    // From one element of the diagonal to the next; a tall matrix ends with its square, or wraps.
    const step = contiguousStrides(input.shape).reduce((sum, stride) => sum + stride, 0);
    const end = wrap || rows <= columns ? numel(input.shape) : columns * columns;
    // Of spread memory an element is filled wherever it is shown.
    const places = offsets(input);
    const filled = new Set(places.filter((_, at) => at % step === 0 && at < end));
    const mask = emit.constant({
      dtype: "bool",
      shape: input.isComplex ? [...input.shape, 1] : input.shape,
      data: Uint8Array.from(places, (place) => (filled.has(place) ? 1 : 0)),
    });
    refuseFill(fill_value, typeOf(input), Math.ceil(end / step));
    const x = ctx.store.read(input);
    const value = selected(emit, mask, fillerOf(ctx, fill_value, input), x);
    // PyTorch fills a view of the diagonal.
    const isOneElement = filled.size === 1 && numel(input.shape) > columns;
    ctx.store.write(input, isOneElement ? refuseGradientsOf(ctx, input, value) : value);
    return input;
  },
});

const fillerOf = (ctx: CallContext, value: Scalar, input: Tensor): Value =>
  castTo(ctx.emit, ctx.as(value, typeOf(input)), input.dtype);

/** A copy, made of `value`, under the strides of `input`, whatever lies between its elements. */
function copyWithGaps(ctx: CallContext, input: Tensor, value: Value): Tensor {
  if (isDense(input) || repeatedAxes(input).length > 0) {
    const own = ctx.emit.op("Identity", [value]);
    const copy = ctx.store.fromValue(own, input.isComplex, preservedStrides(input));
    copy.masked = input.masked;
    return copy;
  }
  const { shape, strides, offset } = input;
  const memory = expandTo(ctx.emit, ctx.emit.scalar(0, input.dtype), memoryShape(input));
  const base = ctx.store.fromValue(memory, input.isComplex);
  const copy = strided(ctx.store, base, { shape, strides, offset }, "as_strided");
  ctx.store.write(copy, value);
  if (copy.step) copy.step = { ...copy.step, turns: true };
  copy.inGraph = true;
  return copy;
}

/** As much memory as the tensor's own. */
function memoryShape({ storage, isComplex, dtype, offset, shape, strides }: Tensor): number[] {
  const { root, length } = storage;
  if (root.isComplex === isComplex && root.dtype === dtype)
    return isComplex ? [length / 2, 2] : [length];
  const reach = shape.reduce((at, size, axis) => at + (size - 1) * (strides[axis] as number), 0);
  return isComplex ? [offset + reach + 1, 2] : [offset + reach + 1];
}

/** A copy of `input` in which `part` finds a view that `src` overwrites; `taken` of both values. */
function replacing(
  ctx: CallContext,
  name: string,
  input: Tensor,
  src: Tensor,
  part: (copy: Tensor) => Tensor,
  taken = (value: Value): Value => value,
): Tensor {
  const copy = copyWithGaps(ctx, input, taken(ctx.store.read(input)));
  const view = part(copy);
  if (!sameShape(view.shape, src.shape))
    throw torchError(
      "RuntimeError",
      `expected src to have a size equal to the slice of self. src size = ${listed(src.shape)}, slice size = ${listed(view.shape)}`,
      `${name} replaces a part of the same shape`,
    );
  const value = castTo(ctx.emit, taken(partsFor(ctx, src, view)), view.dtype);
  ctx.store.write(view, reshapeTo(ctx.emit, value, valueShape(view)));
  return copy;
}

/** `src` as `view` holds numbers: of complex ones a real tensor has the real parts. */
const partsFor = (ctx: CallContext, src: Tensor, view: Tensor): Value =>
  src.isComplex && !view.isComplex
    ? (parts(ctx.emit, ctx.store.read(src))[0] as Value)
    : ctx.as(src, typeOf(view));

export const diagonalScatter = torchCall({
  name: "diagonal_scatter",
  in: both,
  params: {
    input: tensor,
    src: tensor,
    offset: withDefault(int, 0),
    dim1: withDefault(int, 0),
    dim2: withDefault(int, 1),
  },
  moves: true,
  build: (ctx, { input, src, offset, dim1, dim2 }) =>
    replacing(ctx, "diagonal_scatter", input, src, (copy) =>
      diagonalOf(ctx, copy, offset, dim1, dim2),
    ),
});

export const asStridedScatter = torchCall({
  name: "as_strided_scatter",
  in: both,
  params: { input: tensor, src: tensor, size: ints, stride: ints, storage_offset: optional(int) },
  moves: true,
  build: (ctx, { input, src, ...window }): Tensor => {
    // PyTorch's gradient takes the window of rows, wherever the numbers were written.
    if (!isContiguous(input.shape, input.strides) && ctx.store.requiresGrad(input))
      throw torchError(
        "UnsupportedCall",
        "the gradient of as_strided_scatter of what does not lie row by row is not supported",
      );
    const made = replacing(
      ctx,
      "as_strided_scatter",
      input,
      src,
      (copy) => asStrided.build(ctx, { input: copy, ...window }) as Tensor,
      (value) => detachStep.apply(ctx.emit, value),
    );
    const sources = [ctx.store.read(input), ctx.store.read(src)] as const;
    const value = ctx.store.read(made);
    const { size, stride, storage_offset: offset } = window;
    const places = Array.from(offsets({ shape: size, strides: stride, offset: offset ?? 0 }));
    const reach = places.reduce((most, place) => Math.max(most, place + 1), 0);
    const rows = numel(input.shape);
    const at = ctx.emit.ints(places);
    const [typed] = ctx.emit.grouped(
      sources,
      () => [ctx.emit.op("Identity", [value])],
      (backward, [d]) => {
        if (!d) return [null, null];
        const flat = reshapeTo(backward, d, valueShape({ ...input, shape: [numel(input.shape)] }));
        const part = backward.op("Gather", [flat, at], { axis: 0 });
        const zeros = expandTo(backward, backward.scalar(0, d.dtype), flat.shape);
        const column = reshapeTo(backward, at, [places.length, 1]);
        const kept = backward.op("ScatterND", [zeros, column, part]);
        const shape = input.isComplex ? [...src.shape, 2] : src.shape;
        const own = reshapeTo(backward, part, shape);
        const asGiven = src.isComplex && !input.isComplex ? withoutImaginary(backward, own) : own;
        return [reshapeTo(backward, kept, d.shape), castTo(backward, asGiven, sources[1].dtype)];
      },
    );
    const isRealPart = input.isComplex && !src.isComplex;
    const followed = isRealPart ? refuseRealGradient(ctx, typed as Value, src) : (typed as Value);
    const outside = () => outOfBounds(window, reach, rows, input);
    ctx.store.write(
      made,
      reach > rows ? underivable(ctx.emit, followed, [followed], outside()) : followed,
    );
    return made;
  },
});

const withoutImaginary = (emit: Emit, real: Value): Value =>
  pair(emit, real, expandTo(emit, emit.scalar(0, real.dtype), real.shape));

/** The window, which PyTorch takes of a gradient that lies row by row. */
function outOfBounds(
  window: {
    readonly size: readonly number[];
    readonly stride: readonly number[];
    readonly storage_offset: number | null;
  },
  reach: number,
  rows: number,
  { dtype, isComplex }: Tensor,
): Error {
  const bytes = bytesOf[dtype] * (isComplex ? 2 : 1);
  const { size, stride, storage_offset: offset } = window;
  return torchError(
    "RuntimeError",
    `setStorage: sizes [${size.join(", ")}], strides [${stride.join(", ")}], storage offset ${offset ?? 0}, and itemsize ${bytes} requiring a storage size of ${reach * bytes} are out of bounds for storage of size ${rows * bytes}`,
  );
}

export const selectScatter = torchCall({
  name: "select_scatter",
  in: both,
  params: { input: tensor, src: tensor, dim: int, index: int },
  moves: true,
  build: (ctx, { input, src, dim, index }) => {
    refuseComplexGradient(ctx, "select_scatter", input, src);
    return replacing(ctx, "select_scatter", input, src, (copy) => selectAt(ctx, copy, dim, index));
  },
});

export const sliceScatter = torchCall({
  name: "slice_scatter",
  in: both,
  params: {
    input: tensor,
    src: tensor,
    dim: withDefault(int, 0),
    start: optional(int),
    end: optional(int),
    step: withDefault(int, 1),
  },
  moves: true,
  build: (ctx, { input, src, dim, start, end, step }) => {
    refuseComplexGradient(ctx, "slice_scatter", input, src);
    if (input.shape.length === 0)
      throw torchError("IndexError", "slice() cannot be applied to a 0-dim tensor.");
    if (step <= 0) throw torchError("RuntimeError", "slice step must be positive");
    const axis = wrapDim(dim, input.shape.length);
    const size = input.shape[axis] as number;
    const bound = (at: number) => Math.min(Math.max(at < 0 ? at + size : at, 0), size);
    const from = bound(start ?? 0);
    return replacing(ctx, "slice_scatter", input, src, (copy) =>
      sliceView(ctx, copy, axis, from, Math.max(from, bound(end ?? size)), step),
    );
  },
});
