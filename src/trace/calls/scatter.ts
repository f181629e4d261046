/** Writing and adding at the places that index tensors and masks name. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { numel, sameShape } from "../../graph/tensor.ts";
import { castTo, expandTo, reshapeTo } from "../../ops/write.ts";
import {
  type Arg,
  anything,
  bool,
  int,
  isTensor,
  keyword,
  operand,
  optional,
  type Scalar,
  scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { cppName } from "../dispatch.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { put } from "./indexing.ts";
import { isIndex, readIndex, refuseOutOfBounds, refuseOutside, scatterBlocks } from "./places.ts";
import { type Reduction, reduceInto } from "./scatterReduction.ts";
import { commonShape } from "./select.ts";

const both = ["torch", "Tensor"] as const;

/** A value of rank 1 where the tensor has no axes. */
const lined = (ctx: CallContext, x: Tensor): Value => {
  const value = ctx.store.read(x);
  return x.shape.length === 0 ? reshapeTo(ctx.emit, value, [1]) : value;
};

const listed = (shape: readonly number[]): string => `[${shape.join(", ")}]`;

/** input + alpha · source, block by block. */
export const indexAdd = torchCall({
  name: "index_add",
  in: both,
  params: {
    input: tensor,
    dim: int,
    index: tensor,
    source: tensor,
    alpha: keyword(withDefault(scalar, { kind: "int", value: 1 } as Scalar)),
  },
  inPlace: true,
  saves: ["index"],
  build: (ctx, { input, dim, index, source, alpha }) => {
    const { emit } = ctx;
    const axis = wrapDim(dim, input.shape.length);
    refuseIndexAdd(ctx, input, axis, index, source);
    const given = lined(ctx, source);
    const scaled =
      alpha.value === 1 ? given : emit.op("Mul", [given, ctx.as(alpha, typeOf(input))]);
    const places = readIndex(ctx, index);
    const sum = scatterBlocks(emit, lined(ctx, input), axis, places, scaled, "add");
    return { typed: reshapeTo(emit, sum, ctx.store.read(input).shape), as: typeOf(input) };
  },
});

function refuseIndexAdd(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  index: Tensor,
  source: Tensor,
): void {
  if (!isIndex(index))
    throw torchError(
      "RuntimeError",
      `index_add_(): Expected dtype int32/int64 for index but got: ${cppName(typeOf(index))}`,
    );
  if (typeOf(input) !== typeOf(source))
    throw torchError(
      "RuntimeError",
      `index_add_(): self (${cppName(typeOf(input))}) and source (${cppName(typeOf(source))}) must have the same scalar type`,
    );
  const count = source.shape[axis] ?? 1;
  if (numel(index.shape) !== count)
    throw torchError(
      "RuntimeError",
      `index_add_(): Number of indices (${numel(index.shape)}) should be equal to source.size(dim): (${count}), for dim: ${axis}`,
    );
  if (input.shape.length > 0 && !sameShape(input.shape.with(axis, count), source.shape))
    throw torchError(
      "RuntimeError",
      `source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ${listed(input.shape)} source.shape = ${listed(source.shape)}`,
    );
  refuseOutOfBounds(ctx, index, axis, input.shape[axis] ?? 1);
}

export const indexCopy = torchCall({
  name: "index_copy",
  in: both,
  params: { input: tensor, dim: int, index: tensor, source: tensor },
  inPlace: true,
  saves: ["index"],
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dim, index, source }) => {
    const axis = wrapDim(dim, input.shape.length);
    refuseIndexCopy(ctx, input, axis, index, source);
    const places = readIndex(ctx, index);
    const made = scatterBlocks(
      ctx.emit,
      lined(ctx, input),
      axis,
      places,
      lined(ctx, source),
      "none",
    );
    return { typed: reshapeTo(ctx.emit, made, ctx.store.read(input).shape), as: typeOf(input) };
  },
});

function refuseIndexCopy(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  index: Tensor,
  source: Tensor,
): void {
  const count = source.shape[axis] ?? 1;
  if (index.dtype !== "int64")
    throw torchError(
      "RuntimeError",
      `index_copy_(): Expected a long tensor for index, but got ${cppName(typeOf(index))}`,
    );
  if (typeOf(input) !== typeOf(source))
    throw torchError(
      "RuntimeError",
      `index_copy_(): self and source expected to have the same dtype, but got (self) ${cppName(typeOf(input))} and (source) ${cppName(typeOf(source))}`,
    );
  if (source.shape.length !== input.shape.length && source.shape.length > 0)
    throw torchError(
      "IndexError",
      `index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (${source.shape.length}), destination dimensionality (${input.shape.length})`,
    );
  if (numel(index.shape) !== count)
    throw torchError(
      "IndexError",
      `index_copy_(): Number of indices (${numel(index.shape)}) should be equal to source.size(dim) (${count})`,
    );
  const size = input.shape[axis] ?? 1;
  refuseOutside(ctx, index, { from: 0, below: size }, (at) =>
    torchError(
      "IndexError",
      `index_copy_(): index ${at} is out of bounds for dimension ${axis} with size ${size}`,
    ),
  );
}

export const indexFill = torchCall({
  name: "index_fill",
  in: both,
  params: { input: tensor, dim: int, index: tensor, value: operand },
  inPlace: true,
  saves: ["index"],
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dim, index, value }) => {
    const { emit } = ctx;
    const axis = wrapDim(dim, input.shape.length);
    if (index.dtype !== "int64")
      throw torchError("IndexError", "index_fill_(): Expected dtype int64 for index.");
    if (isTensor(value) && value.shape.length > 0)
      throw torchError(
        "RuntimeError",
        `index_fill_ only supports a 0-dimensional value tensor, but got tensor with ${value.shape.length} dimension(s).`,
      );
    const x = lined(ctx, input);
    const size = x.shape[axis] as number;
    refuseOutside(ctx, index, { from: -size, below: size }, (at) =>
      torchError(
        "IndexError",
        `index ${at} is out of bounds for dimension ${axis} with size ${size}`,
      ),
    );
    const places = readIndex(ctx, index);
    const filler = castTo(emit, ctx.as(value, typeOf(input)), x.dtype);
    const updates = expandTo(emit, filler, x.shape.with(axis, places.shape[0] as number));
    const made = scatterBlocks(emit, x, axis, places, updates, "none");
    return { typed: reshapeTo(emit, made, ctx.store.read(input).shape), as: typeOf(input) };
  },
});

/** input[indices] = values, or += where `accumulate`. */
export const indexPut = torchCall({
  name: "index_put",
  in: both,
  params: {
    input: tensor,
    indices: anything,
    values: tensor,
    accumulate: withDefault(bool, false),
  },
  inPlace: true,
  moves: true,
  keepsMask: true,
  build: (ctx, { input, indices, values, accumulate }) => {
    if (values.dtype !== input.dtype)
      throw torchError(
        "RuntimeError",
        `Index put requires the source and destination dtypes match, got ${cppName(typeOf(input))} for the destination and ${cppName(typeOf(values))} for the source.`,
      );
    const key = (indices as readonly Arg[]).map((item) => item ?? whole);
    return { typed: put(ctx, input, key, values, accumulate ? "add" : "none"), as: typeOf(input) };
  },
});

/** An axis that index_put leaves alone. */
const whole: Arg = { start: null, stop: null, stepSize: null };

/** The index as int64 and the updates in its shape. */
function scatterArguments(
  ctx: CallContext,
  input: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor | Scalar,
): { axis: number; places: Value; updates: Value } {
  const { emit } = ctx;
  const axis = wrapDim(dim, input.shape.length);
  refuseScatter(ctx, input, axis, index, src);
  const places = readIndex(ctx, index);
  if (!isTensor(src)) {
    const filler = castTo(emit, ctx.as(src, typeOf(input)), input.dtype);
    return { axis, places, updates: expandTo(emit, filler, places.shape) };
  }
  const given = lined(ctx, src);
  const axes = places.shape.map((_, a) => a);
  const fits = sameShape(given.shape, places.shape);
  const starts = emit.ints(axes.map(() => 0));
  const ends = emit.ints(places.shape);
  const updates = fits ? given : emit.op("Slice", [given, starts, ends, emit.ints(axes)]);
  return { axis, places, updates };
}

function refuseScatter(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  index: Tensor,
  src: Tensor | Scalar,
): void {
  if (!isIndex(index))
    throw torchError("RuntimeError", "scatter(): Expected dtype int32/int64 for index");
  if (isTensor(src) && typeOf(src) !== typeOf(input))
    throw torchError("RuntimeError", "scatter(): Expected self.dtype to be equal to src.dtype");
  if (numel(index.shape) === 0) return;
  const rank = (x: Tensor) => Math.max(x.shape.length, 1);
  if (rank(index) !== rank(input))
    throw torchError(
      "RuntimeError",
      "Index tensor must have the same number of dimensions as self tensor",
    );
  if (isTensor(src) && rank(index) !== rank(src))
    throw torchError(
      "RuntimeError",
      "Index tensor must have the same number of dimensions as src tensor",
    );
  const tooLarge = index.shape.some(
    (size, a) =>
      (a !== axis && size > (input.shape[a] ?? 1)) || (isTensor(src) && size > (src.shape[a] ?? 1)),
  );
  if (tooLarge) {
    const own = `Expected index ${listed(index.shape)} to be no larger than self ${listed(input.shape)} apart from dimension ${axis}`;
    const source = isTensor(src) ? ` and to be no larger size than src ${listed(src.shape)}` : "";
    throw torchError("RuntimeError", own + source);
  }
  refuseOutOfBounds(ctx, index, axis, input.shape[axis] ?? 1);
}

function scatterInto(
  ctx: CallContext,
  input: Tensor,
  dim: number,
  index: Tensor,
  src: Tensor | Scalar,
  reduction: "none" | "add" | "mul",
): Typed {
  const { emit } = ctx;
  const x = ctx.store.read(input);
  const { axis, places, updates } = scatterArguments(ctx, input, dim, index, src);
  if (numel(places.shape) === 0) return { typed: emit.op("Identity", [x]), as: typeOf(input) };
  const made = emit.op("ScatterElements", [lined(ctx, input), places, updates], {
    axis,
    reduction,
  });
  return { typed: reshapeTo(emit, made, x.shape), as: typeOf(input) };
}

/** input with input[index[i, j, …], j, …] = src[i, j, …] for dim 0. */
export const scatter = torchCall({
  name: "scatter",
  in: both,
  params: {
    input: tensor,
    dim: int,
    index: tensor,
    src: optional(operand),
    value: keyword(optional(operand)),
    reduce: keyword(optional(text)),
  },
  inPlace: true,
  saves: ["index"],
  keepsMask: true,
  moves: true,
  build: (ctx, { input, dim, index, src, value, reduce }) => {
    const given = src ?? value;
    if (given === null)
      throw torchError("TypeError", 'scatter() missing 1 required positional arguments: "src"');
    if (reduce !== null && reduce !== "add" && reduce !== "multiply")
      throw torchError("RuntimeError", "reduce argument must be either add or multiply.");
    const reduction = reduce === null ? "none" : reduce === "add" ? "add" : "mul";
    return scatterInto(ctx, input, dim, index, given, reduction);
  },
});

export const scatterAdd = torchCall({
  name: "scatter_add",
  in: both,
  params: { input: tensor, dim: int, index: tensor, src: tensor },
  inPlace: true,
  saves: ["index"],
  build: (ctx, { input, dim, index, src }) => scatterInto(ctx, input, dim, index, src, "add"),
});

export const scatterReduce = torchCall({
  name: "scatter_reduce",
  in: both,
  params: {
    input: tensor,
    dim: int,
    index: tensor,
    src: tensor,
    reduce: text,
    include_self: keyword(withDefault(bool, true)),
  },
  inPlace: true,
  saves: ["input", "index", "src", "result"],
  build: (ctx, { input, dim, index, src, reduce, include_self }) => {
    const { emit } = ctx;
    if (!isReduction(reduce))
      throw torchError(
        "RuntimeError",
        `reduce argument must be either sum, prod, mean, amax or amin, got ${reduce}`,
      );
    const x = ctx.store.read(input);
    const { axis, places, updates } = scatterArguments(ctx, input, dim, index, src);
    if (numel(places.shape) === 0) return { typed: emit.op("Identity", [x]), as: typeOf(input) };
    const made = reduceInto(emit, lined(ctx, input), axis, places, updates, reduce, include_self);
    return { typed: reshapeTo(emit, made, x.shape), as: typeOf(input) };
  },
});

const isReduction = (name: string): name is Reduction =>
  ["sum", "prod", "mean", "amax", "amin"].includes(name);

/** input with the elements where the mask holds taken from `source`, in order. */
export const maskedScatter = torchCall({
  name: "masked_scatter",
  in: both,
  params: { input: tensor, mask: tensor, source: tensor },
  inPlace: true,
  saves: ["mask"],
  keepsMask: true,
  moves: true,
  build: (ctx, { input, mask, source }) => {
    const { emit } = ctx;
    refuseMaskedScatter(ctx, input, mask, source);
    const shape = commonShape(mask, input);
    const holds = expandTo(emit, ctx.store.read(mask), shape);
    const full = expandTo(emit, ctx.store.read(input), shape);
    const length = numel(source.shape);
    if (length === 0) return { typed: emit.op("Identity", [full]), as: typeOf(input) };
    // How many places hold up to each one: which element of the source it takes.
    const flat = castTo(emit, reshapeTo(emit, holds, [numel(shape)]), "int64");
    const rank = emit.op("CumSum", [flat, emit.scalar(0, "int64")], { exclusive: 1 });
    const within = emit.op("Min", [rank, emit.scalar(length - 1, "int64")]);
    const elements = reshapeTo(emit, ctx.store.read(source), [length]);
    const taken = reshapeTo(emit, emit.op("Gather", [elements, within], { axis: 0 }), shape);
    return { typed: emit.op("Where", [holds, taken, full]), as: typeOf(input) };
  },
});

function refuseMaskedScatter(ctx: CallContext, input: Tensor, mask: Tensor, source: Tensor): void {
  if (mask.dtype !== "bool")
    throw torchError(
      "RuntimeError",
      `masked_scatter_ only supports boolean masks, but got mask with dtype ${cppName(typeOf(mask))}`,
    );
  if (typeOf(input) !== typeOf(source))
    throw torchError(
      "RuntimeError",
      `masked_scatter: expected self and source to have same dtypes but got${cppName(typeOf(input))} and ${cppName(typeOf(source))}`,
    );
  if (!ctx.store.isKnown(mask)) return;
  const holding = ctx.store.numbers(mask).filter((x) => x !== 0).length;
  if (sameShape(mask.shape, input.shape) && holding > numel(source.shape))
    throw torchError("RuntimeError", "Number of elements of source < number of ones in mask");
}
