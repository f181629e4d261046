/** index_add, index_copy, index_fill, index_put: blocks written or added at the places of an index. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { numel, sameShape } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { asAddend, castTo, expandTo, reshapeTo, selected } from "../../ops/write.ts";
import {
  type Arg,
  anything,
  bool,
  describeArg,
  int,
  isTensor,
  keyword,
  operand,
  type Scalar,
  scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { repeatedAxes, type Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { isOne } from "./arithmetic.ts";
import { complexMultiply } from "./complexNumbers.ts";
import { underivable } from "./derivatives.ts";
import { refuseFiller } from "./fillers.ts";
import { put } from "./indexing.ts";
import {
  isIndex,
  lined,
  listed,
  outOfBounds,
  placesWithin,
  readIndex,
  scatterBlocks,
} from "./places.ts";
import { type Reduction, reduceInto } from "./scatterReduction.ts";

const both = ["torch", "Tensor"] as const;

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
  reads: true,
  savesFor: { source: ["index", "source"] },
  build: (ctx, { input, dim, index, source, alpha }) => {
    const { emit } = ctx;
    const axis = wrapDim(dim, input.shape.length);
    refuseIndexed("index_add_", input, axis, index, source);
    const size = input.shape[axis] ?? 1;
    const last = input.shape.length - 1;
    const refuse =
      isOne(alpha) && last > 0 && (axis === 0 || axis === last)
        ? outOfBounds(axis, size)
        : () => torchError("IndexError", "index out of range in self");
    const places = placesWithin(ctx, index, { from: 0, below: size }, refuse);
    const given = lined(ctx, source);
    const scaled = scaledBy(ctx, given, alpha, typeOf(input));
    const sum = scatterBlocks(emit, lined(ctx, input), axis, places, scaled, "add");
    return { typed: reshapeTo(emit, sum, ctx.store.read(input).shape), as: typeOf(input) };
  },
});

/** What PyTorch refuses of blocks that are added to, or combined with, those of `input`. */
function refuseIndexed(
  name: string,
  input: Tensor,
  axis: number,
  index: Tensor,
  source: Tensor,
): void {
  if (index.shape.length > 1)
    throw torchError(
      "IndexError",
      `${name}(): Index is supposed to be a vector, but got dim: ${index.shape.length} with type: ${cppName(typeOf(index))} and size: ${listed(index.shape)}`,
    );
  if (!isIndex(index))
    throw torchError(
      "RuntimeError",
      `${name}(): Expected dtype int32/int64 for index but got: ${cppName(typeOf(index))}`,
    );
  if (typeOf(input) !== typeOf(source))
    throw torchError(
      "RuntimeError",
      `${name}(): self (${cppName(typeOf(input))}) and source (${cppName(typeOf(source))}) must have the same scalar type`,
    );
  const count = source.shape[axis] ?? 1;
  if (source.shape.length === 0 && numel(index.shape) !== 1)
    throw torchError("IndexError", `Dimension specified as ${axis} but tensor has no dimensions`);
  if (numel(index.shape) !== count)
    throw torchError(
      "RuntimeError",
      `${name}(): Number of indices (${numel(index.shape)}) should be equal to source.size(dim): (${count}), for dim: ${axis}`,
    );
  const isAlone = input.shape.length === 0 || source.shape.length === 0;
  const others = isAlone ? input.shape : input.shape.with(axis, count);
  if (!sameShape(others, source.shape))
    throw torchError(
      "RuntimeError",
      `source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ${listed(input.shape)} source.shape = ${listed(source.shape)}`,
    );
}

function scaledBy(ctx: CallContext, x: Value, alpha: Scalar, type: TorchType): Value {
  if (isOne(alpha)) return isComplexType(type) ? asAddend(ctx.emit, x) : x;
  const factor = castTo(ctx.emit, ctx.as(alpha, type), x.dtype);
  return isComplexType(type)
    ? complexMultiply(ctx.emit, x, factor)
    : ctx.emit.op("Mul", [x, factor]);
}

/** input with the blocks that land on one place combined, with its own block or without. */
export const indexReduce = torchCall({
  name: "index_reduce",
  in: both,
  params: {
    input: tensor,
    dim: int,
    index: tensor,
    source: tensor,
    reduce: text,
    include_self: keyword(withDefault(bool, true)),
  },
  inPlace: true,
  reads: true,
  saves: ["input", "index", "source", "result"],
  build: (ctx, { input, dim, index, source, reduce, include_self }) => {
    const { emit } = ctx;
    if (!isBlockReduction(reduce))
      throw torchError(
        "RuntimeError",
        `index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ${reduce}.`,
      );
    const axis = wrapDim(dim, input.shape.length);
    refuseIndexed("index_reduce_", input, axis, index, source);
    const refuseTruths = () => {
      refuseKinds("index_reduce", typeOf(input), ["bool"]);
    };
    if (input.shape.length <= 1) refuseTruths();
    const size = input.shape[axis] ?? 1;
    const rows = placesWithin(ctx, index, { from: 0, below: size }, () =>
      torchError("IndexError", "index out of range in self"),
    );
    refuseTruths();
    const x = ctx.store.read(input);
    const updates = lined(ctx, source);
    if (numel(updates.shape) === 0) return { typed: emit.op("Identity", [x]), as: typeOf(input) };
    const along = updates.shape.map((length, a) => (a === axis ? length : 1));
    const places = expandTo(emit, reshapeTo(emit, rows, along), updates.shape);
    const made = reduceInto(emit, lined(ctx, input), axis, places, updates, reduce, include_self);
    const typed = reshapeTo(emit, made, x.shape);
    if (include_self || index.dtype === "int64") return { typed, as: typeOf(input) };
    const refusal = torchError("IndexError", "index_fill_(): Expected dtype int64 for index.");
    return { typed: underivable(emit, typed, [x], refusal), as: typeOf(input) };
  },
});

const isBlockReduction = (name: string): name is Exclude<Reduction, "sum"> =>
  ["prod", "mean", "amax", "amin"].includes(name);

export const indexCopy = torchCall({
  name: "index_copy",
  in: both,
  params: { input: tensor, dim: int, index: tensor, source: tensor },
  inPlace: true,
  reads: "at once",
  keepsMask: true,
  moves: true,
  savesFor: { input: ["index"], source: ["index", "source"] },
  build: (ctx, { input, dim, index, source }) => {
    const axis = wrapDim(dim, input.shape.length);
    refuseIndexCopy(input, axis, index, source);
    const size = input.shape[axis] ?? 1;
    const refuse = outOfBounds(axis, size, "IndexError", "index_copy_(): ");
    const places = placesWithin(ctx, index, { from: 0, below: size }, refuse);
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

function refuseIndexCopy(input: Tensor, axis: number, index: Tensor, source: Tensor): void {
  const count = source.shape[axis] ?? 1;
  if (index.dtype !== "int64")
    throw torchError(
      "RuntimeError",
      `index_copy_(): Expected a long tensor for index, but got ${cppName(typeOf(index))}`,
    );
  if (source.shape.length === 0 && numel(index.shape) !== 1)
    throw torchError(
      "IndexError",
      `index_copy_(): When source is scalar, index should have one element (got ${numel(index.shape)})`,
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
}

/** `filler` for each block that `places` lists of `x`. */
const blocksOf = (emit: Emitter, filler: Value, x: Value, axis: number, places: Value): Value =>
  expandTo(emit, filler, x.shape.with(axis, places.shape[0] as number));

/** A filler with a gradient: its blocks count once, however often they are listed, and not from the end. */
function filledBy(ctx: CallContext, filler: Value, x: Value, axis: number, index: Tensor): Value {
  const { emit, store } = ctx;
  const places = readIndex(ctx, index);
  const none = expandTo(emit, emit.scalar(0, "float32"), x.shape);
  const one = blocksOf(emit, emit.scalar(1, "float32"), x, axis, places);
  const listed = castTo(emit, scatterBlocks(emit, none, axis, places, one, "none"), "bool");
  const made = selected(emit, listed, filler, x);
  if (!store.isKnown(index) || store.numbers(index).every((at) => at >= 0)) return made;
  return underivable(emit, made, [filler], torchError("IndexError", "index out of range in self"));
}

export const indexFill = torchCall({
  name: "index_fill",
  in: both,
  params: { input: tensor, dim: int, index: tensor, value: operand },
  inPlace: true,
  fills: true,
  follows: "all",
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
    const isComplex = isTensor(value) ? value.isComplex : value.kind === "complex";
    if (isComplex && !input.isComplex)
      throw torchError(
        "RuntimeError",
        "index_fill_(): Converting complex Scalar to non-complex type is not supported",
      );
    const x = lined(ctx, input);
    const size = x.shape[axis] as number;
    const refuse = outOfBounds(axis, size, "IndexError");
    const places = placesWithin(ctx, index, { from: -size, below: size }, refuse);
    refuseFiller(ctx, value, typeOf(input));
    const filler = castTo(emit, ctx.as(value, typeOf(input)), x.dtype);
    // Along an axis that shows one element again and again, each place is that element.
    if (ctx.inPlace && numel(index.shape) > 0 && repeatedAxes(input).includes(axis))
      return { typed: expandTo(emit, filler, ctx.store.read(input).shape), as: typeOf(input) };
    const made = filler.requiresGrad
      ? filledBy(ctx, filler, x, axis, index)
      : scatterBlocks(emit, x, axis, places, blocksOf(emit, filler, x, axis, places), "none");
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
  savesFor: { input: ["indices"], values: ["indices"] },
  build: (ctx, { input, indices, values, accumulate }) => {
    const key = indices as readonly Arg[];
    key.forEach((item, at) => {
      if (!isTensor(item))
        throw torchError(
          "TypeError",
          `expected Tensor as element ${at} in argument 1, but got ${describeArg(item)}`,
        );
    });
    return { typed: put(ctx, input, key, values, accumulate ? "add" : "none"), as: typeOf(input) };
  },
});
