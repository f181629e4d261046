/** Elements written, or combined, at the places that index tensors and masks name. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { numel, sameShape } from "../../graph/tensor.ts";
import { castTo, expandTo, reshapeTo, selected } from "../../ops/write.ts";
import {
  bool,
  int,
  isTensor,
  keyword,
  operand,
  optional,
  type Scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds, refuseOverflow } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { underivable } from "./derivatives.ts";
import { isIndex, lined, listed, outOfBounds, placesWithin } from "./places.ts";
import { type Reduction, reduceInto } from "./scatterReduction.ts";
import { commonShape } from "./select.ts";

const both = ["torch", "Tensor"] as const;

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
  refuseScatter(input, axis, index, src);
  const size = input.shape[axis] ?? 1;
  const places = placesWithin(ctx, index, { from: 0, below: size }, outOfBounds(axis, size));
  if (!isTensor(src)) {
    refuseOverflow(src, typeOf(input));
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

function refuseScatter(input: Tensor, axis: number, index: Tensor, src: Tensor | Scalar): void {
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
  const joins = input.dtype === "bool" && reduction !== "none";
  const [from, onto] = [updates, lined(ctx, input)].map((part) =>
    joins ? castTo(emit, part, "int32") : part,
  ) as [Value, Value];
  const made = emit.op("ScatterElements", [onto, places, from], { axis, reduction });
  return { typed: reshapeTo(emit, castTo(emit, made, x.dtype), x.shape), as: typeOf(input) };
}

/** PyTorch's gradient of `src` has the shape of `index`: it refuses one of which a part is not read. */
function withoutUnread(
  ctx: CallContext,
  made: Typed,
  index: Tensor,
  src: Tensor | Scalar,
  node: string,
): Typed {
  if (!isTensor(src) || sameShape(index.shape, src.shape)) return made;
  const [found, wanted] = [index, src].map(({ shape }) => `[${shape.join(", ")}]`);
  const text = `Function ${node} returned an invalid gradient at index 1 - got ${found} but expected shape compatible with ${wanted}`;
  const refusal = torchError("RuntimeError", text);
  return { ...made, typed: underivable(ctx.emit, made.typed, [ctx.store.read(src)], refusal) };
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
  reads: true,
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
    const made = scatterInto(ctx, input, dim, index, given, reduction);
    if (reduce === null) return withoutUnread(ctx, made, index, given, "ScatterBackward0");
    const refusal = torchError("RuntimeError", "derivative for aten::scatter is not implemented");
    const parts = [input, given].filter(isTensor).map((part) => ctx.store.read(part));
    return { ...made, typed: underivable(ctx.emit, made.typed, parts, refusal) };
  },
});

export const scatterAdd = torchCall({
  name: "scatter_add",
  in: both,
  params: { input: tensor, dim: int, index: tensor, src: tensor },
  inPlace: true,
  reads: true,
  savesFor: { src: ["index"] },
  build: (ctx, { input, dim, index, src }) => {
    const made = scatterInto(ctx, input, dim, index, src, "add");
    return withoutUnread(ctx, made, index, src, "ScatterAddBackward0");
  },
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
  reads: true,
  saves: ["input", "index", "src", "result"],
  build: (ctx, { input, dim, index, src, reduce, include_self }) => {
    const { emit } = ctx;
    if (!isReduction(reduce))
      throw torchError(
        "RuntimeError",
        `reduce argument must be either sum, prod, mean, amax or amin, got ${reduce}`,
      );
    if (reduce === "mean")
      refuseKinds("scatter_gather_tensor_cpu_reduce_mean", typeOf(input), ["bool"]);
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
    if (!ctx.inPlace) commonShape(mask, input);
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
    return { typed: selected(emit, holds, taken, full), as: typeOf(input) };
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
