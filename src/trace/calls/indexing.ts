/** x[…] and x[…] = value, in every form that PyTorch takes. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo, expandTo, reshapeTo, selected, transpose } from "../../ops/write.ts";
import {
  type Arg,
  anything,
  isSlice,
  isTensor,
  operand,
  type Scalar,
  tensor,
} from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { refuseGradientsOf } from "../dispatch.ts";
import { forgetReads, noteFollowed, readToEdit } from "../editReads.ts";
import { viewOfFollowed } from "../followedIntegers.ts";
import { refuseFill, refuseOverflow } from "../kernels.ts";
import { pickedStrides } from "../layout/picked.ts";
import { writtenInTurn } from "../overlaps.ts";
import { typeOf } from "../promotion.ts";
import { refuseCopy, refuseEdit, refuseOverlap, refuseUnseen } from "../refusals.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { type AxisRange, lengthOf, sliced } from "../views.ts";
import { castValue, ownValue } from "./copy.ts";
import { holding } from "./create.ts";
import { alsoOf, refuseRealGradient } from "./derivatives.ts";
import {
  asIndex,
  expandEllipsis,
  isMask,
  isTrue,
  isWholeKey,
  picksWithin,
  placesOfFlag,
  position,
  rangeOf,
  savedIndices,
} from "./indexItems.ts";
import { jointPlaces, pickedAt, placed } from "./jointPlaces.ts";
import { needExpandable } from "./matmulErrors.ts";
import { isIndex } from "./places.ts";

/** What an index leaves: a view of the basic part, and index tensors for some of its axes. */
interface Taken {
  readonly view: Tensor;
  readonly picks: readonly Pick[];
}

interface Pick {
  /** First axis of the view that the tensor indexes; a mask covers as many as it has. */
  readonly axis: number;
  readonly index: Tensor;
}

export const getItem = torchCall({
  name: "__getitem__",
  in: ["Tensor"],
  params: { input: tensor, key: anything },
  moves: true,
  keepsMask: true,
  savesOf: ({ input, key }, requiresGrad) => (requiresGrad(input) ? savedIndices(key) : []),
  build: (ctx, { input, key }): Result => {
    const { view, picks } = take(ctx, input, key as readonly Arg[]);
    if (picks.length === 0) return view;
    const x = ctx.store.read(view);
    const { axes, indices } = integerPicks(ctx, view, picks);
    const value = pickedAt(ctx, x, axes, indices);
    const strides = pickedStrides(view, axes, indices);
    return { typed: value, as: typeOf(input), strides };
  },
});

export const setItem = torchCall({
  name: "__setitem__",
  in: ["torch._C"],
  params: { input: tensor, key: anything, value: operand },
  edits: true,
  refusesLate: true,
  moves: true,
  savesOf: ({ input, key }, requiresGrad) => (requiresGrad(input) ? savedIndices(key) : []),
  build: (ctx, { input, key, value }): Result => {
    if (isWholeKey(key)) refuseUnseen(ctx.store, input);
    const { view, picks } = take(ctx, input, key as readonly Arg[]);
    refuseEdit(ctx.store, input, isTensor(value) ? [value] : [], { ofPart: true });
    const isPicked = picks.length > 0 && numel(view.shape) === numel(input.shape);
    const isWhole = isPicked || isWholeKey(key);
    if (!isWhole) viewOfFollowed(ctx, { key: "__getitem__", args: { input } }, view);
    if (isTensor(value) && value.shape.length > 0 && picks.length === 0) refuseCopy(view, value);
    if (!isTensor(value)) refuseNumber(view, value, picks.length > 0);
    const copies = isTrue(key) || fillsMask(picks, value);
    // A tensor overlaps itself even where it has no elements; what is put is a view of it where it begins with a 1.
    const isItself = isPicked && value === input && input.shape[0] !== 1;
    const target = isItself ? value : view;
    if (isTensor(value) && !copies && picks.length > 0) refuseOverlap(target, value, "apart");
    const refuse = () => {
      if (isTensor(value) && !copies) refuseType(view, value);
    };
    forgetReads(view);
    const part =
      picks.length === 0
        ? writtenInTurn(ctx.emit, plain(ctx, view, value), view)
        : readToEdit(ctx, view, () => replaced(ctx, view, picks, value, "none", refuse));
    const covers = picks.length === 0 && numel(view.shape) === numel(view.storage.root.shape);
    const fills = isTensor(value) && fillsWith(view, picks, value);
    const filled = fills && view.isComplex && !value.isComplex;
    const given = filled ? refuseRealGradient(ctx, part, value) : part;
    const put = covers ? alsoOf(ctx.emit, given, ctx.store.read(view)) : given;
    ctx.store.write(view, refuseGradientsOf(ctx, view, put));
    if (fills) noteFollowed(ctx.store, view, [value]);
    // Where the index is, or picks of, the whole tensor, it is the tensor itself that is edited.
    if (isWhole) ctx.store.noteOwnEdit(input);
    return input;
  },
});

/** A window is filled, places are put. */
function refuseNumber(view: Tensor, value: Scalar, isPicked: boolean): void {
  if (isPicked) refuseOverflow(value, typeOf(view));
  else refuseFill(value, typeOf(view), numel(view.shape));
}

/** What is put at places has to have the type of the tensor. */
function refuseType(view: Tensor, value: Tensor): void {
  const [to, from] = [typeOf(view), typeOf(value)];
  if (to === from) return;
  throw torchError(
    "RuntimeError",
    `Index put requires the source and destination dtypes match, got ${cppName(to)} for the destination and ${cppName(from)} for the source.`,
  );
}

/** One number where a mask holds: no memory is read while it is written. */
const fillsMask = (picks: readonly Pick[], value: Parameters<CallContext["as"]>[0]): boolean =>
  isTensor(value) &&
  numel(value.shape) === 1 &&
  picks.length === 1 &&
  isMask(picks[0]?.index as Tensor);

/** A number that is spread fills what it is put into; one of the same shape is copied. */
const fillsWith = (view: Tensor, picks: readonly Pick[], value: Tensor): boolean =>
  picks.length === 0 ? value.shape.length === 0 && view.shape.length > 0 : fillsMask(picks, value);

/** x with the elements that index tensors pick replaced, or added to. */
export function put(
  ctx: CallContext,
  input: Tensor,
  key: readonly Arg[],
  value: Tensor,
  reduction: "none" | "add",
): Value {
  const { view, picks } = take(ctx, input, key);
  return replaced(ctx, view, picks, value, reduction, () => {
    refuseType(view, value);
  });
}

/** Leading axes of size 1 may be dropped to come down to a rank. */
function withoutLeadingOnes(tensor: Tensor, rank: number): Tensor {
  const extra = Math.max(tensor.shape.length - rank, 0);
  const ones = tensor.shape.slice(0, extra).every((size) => size === 1);
  return ones ? { ...tensor, shape: tensor.shape.slice(extra) } : tensor;
}

/** The value in the view's type, broadcast to its shape. */
function plain(ctx: CallContext, view: Tensor, value: Parameters<CallContext["as"]>[0]): Value {
  const given = typedLike(ctx, view, value);
  const shape = view.isComplex ? [...view.shape, 2] : view.shape;
  if (isTensor(value)) needExpandable(withoutLeadingOnes(value, view.shape.length), view.shape);
  return ownValue(ctx, expandTo(ctx.emit, fitted(given, shape, ctx), shape));
}

function typedLike(ctx: CallContext, view: Tensor, value: Parameters<CallContext["as"]>[0]): Value {
  if (isTensor(value)) return castValue(ctx, value, view);
  const typed = ctx.as(value, typeOf(view));
  return typed.dtype === view.dtype ? typed : ctx.emit.op("Cast", [typed], { to: view.dtype });
}

/** Leading axes of size 1 may be dropped; more elements than the target has are refused. */
function fitted(value: Value, shape: readonly number[], ctx: CallContext): Value {
  const extra = value.shape.length - shape.length;
  const dropped = value.shape.slice(0, Math.max(extra, 0)).every((size) => size === 1)
    ? reshapeTo(ctx.emit, value, value.shape.slice(Math.max(extra, 0)))
    : value;
  const lead = shape.length - dropped.shape.length;
  const fits =
    lead >= 0 && dropped.shape.every((size, a) => size === 1 || size === shape[a + lead]);
  if (!fits)
    throw torchError(
      "RuntimeError",
      `shape mismatch: value tensor of shape [${value.shape.join(", ")}] cannot be broadcast to indexing result of shape [${shape.join(", ")}]`,
    );
  return dropped;
}

function replaced(
  ctx: CallContext,
  view: Tensor,
  picks: readonly Pick[],
  value: Parameters<CallContext["as"]>[0],
  reduction: "none" | "add",
  /** Looks at the types, once the shapes fit. */
  refuse: () => void,
): Value {
  const { emit } = ctx;
  const x = ctx.store.read(view);
  const given = typedLike(ctx, view, value);
  const [pick] = picks as readonly [Pick];
  const replaces = reduction === "none";
  if (replaces && picks.length === 1 && pick.index.dtype === "bool" && numel(given.shape) === 1) {
    refuse();
    const mask = ctx.store.read(pick.index);
    const after = x.shape.length - pick.axis - mask.shape.length;
    const aligned = reshapeTo(emit, mask, [
      ...new Array<number>(pick.axis).fill(1),
      ...mask.shape,
      ...new Array<number>(after).fill(1),
    ]);
    return selected(emit, aligned, reshapeTo(emit, given, []), x);
  }
  const { axes, indices } = integerPicks(ctx, view, picks);
  return scatter(ctx, x, axes, indices, given, reduction, refuse);
}

function scatter(
  ctx: CallContext,
  x: Value,
  axes: readonly number[],
  indices: readonly Value[],
  given: Value,
  reduction: "none" | "add",
  refuse: () => void,
): Value {
  const { emit } = ctx;
  const { toFront, joint, indexRank } = jointPlaces(ctx.emit, x, axes, indices);
  const front = transpose(emit, x, toFront);
  const resultShape = [...joint.shape.slice(0, -1), ...front.shape.slice(axes.length)];
  const order = placed(resultShape.length, indexRank, axes);
  const shown = order.map((from) => resultShape[from] as number);
  const updates = expandTo(emit, fitted(given, shown, ctx), shown);
  refuse();
  const back = order.map((_, axis) => order.indexOf(axis));
  // Truths are joined, not added.
  const held = x.dtype === "bool" && reduction === "add" ? "int32" : x.dtype;
  const put = castTo(emit, transpose(emit, updates, back), held);
  const updated = [castTo(emit, front, held), joint, put];
  const edited = castTo(emit, emit.op("ScatterND", updated, { reduction }), x.dtype);
  return transpose(
    emit,
    edited,
    toFront.map((_, axis) => toFront.indexOf(axis)),
  );
}

/** Masks become the positions where they are true. */
function integerPicks(ctx: CallContext, view: Tensor, picks: readonly Pick[]) {
  const axes: number[] = [];
  const indices: Value[] = [];
  for (const { axis, index } of picks) {
    if (index.dtype !== "bool" && index.dtype !== "uint8") {
      if (!isIndex(index))
        throw torchError(
          "IndexError",
          "tensors used as indices must be long, int, byte or bool tensors",
        );
      indices.push(picksWithin(ctx, index, axes.length, view.shape[axis] as number));
      axes.push(axis);
      continue;
    }
    index.shape.forEach((size, a) => {
      if (size !== view.shape[axis + a])
        throw torchError(
          "IndexError",
          `The shape of the mask [${index.shape.join(", ")}] at index ${a} does not match the shape of the indexed tensor [${view.shape.join(", ")}] at index ${axis + a}`,
        );
    });
    positionsOf(ctx, index).forEach((positions, a) => {
      axes.push(axis + a);
      indices.push(
        ctx.emit.constant({ dtype: "int64", shape: [positions.length], data: positions }),
      );
    });
  }
  return { axes, indices };
}

/** torch.nonzero, one array per axis. Needs the mask's numbers now. */
export function positionsOf(ctx: CallContext, mask: Tensor): Float64Array[] {
  const numbers = ctx.store.numbers(mask.isComplex ? holding(ctx, mask) : mask);
  const found: number[][] = mask.shape.map(() => []);
  for (let flat = 0; flat < numbers.length; flat++) {
    if (numbers[flat] === 0) continue;
    let rest = flat;
    for (let axis = mask.shape.length - 1; axis >= 0; axis--) {
      const size = mask.shape[axis] as number;
      (found[axis] as number[]).push(rest % size);
      rest = Math.floor(rest / size);
    }
  }
  return found.map((axis) => Float64Array.from(axis));
}

/** Applies ints, slices, None and Ellipsis as one view; index tensors are left for its axes. */
function take(ctx: CallContext, input: Tensor, key: readonly Arg[]): Taken {
  const items = expandEllipsis(
    input,
    key.map((item) => asIndex(ctx, item)),
  );
  const ranges: AxisRange[] = [];
  const shape: number[] = [];
  const strides: number[] = [];
  let { offset } = input;
  const picks: Pick[] = [];
  let axis = 0;
  /** That of an axis of size 1 before the next one, as unsqueeze gives it. */
  const strideOfNew = () => (input.shape[axis] ?? 1) * (input.strides[axis] ?? 1);
  const keep = (count: number) => {
    for (let i = 0; i < count; i++, axis++) {
      shape.push(input.shape[axis] as number);
      strides.push(input.strides[axis] as number);
    }
  };
  for (const item of items) {
    if (item === null) {
      shape.push(1);
      strides.push(strideOfNew());
    } else if (isTensor(item) && isMask(item) && item.shape.length === 0) {
      picks.push({ axis: shape.length, index: placesOfFlag(ctx, item) });
      shape.push(1);
      strides.push(strideOfNew());
    } else if (isTensor(item)) {
      picks.push({ axis: shape.length, index: item });
      keep(isMask(item) ? item.shape.length : 1);
    } else if (isSlice(item)) {
      const range = rangeOf(ctx, item, axis, input.shape[axis] as number);
      const stride = input.strides[axis] as number;
      ranges.push(range);
      shape.push(lengthOf(range));
      strides.push(stride * range.step);
      offset += range.start * stride;
      axis++;
    } else {
      const at = position(item, input, axis);
      ranges.push({ axis, start: at, stop: at + 1, step: 1 });
      offset += at * (input.strides[axis] as number);
      axis++;
    }
  }
  keep(input.shape.length - axis);
  return { view: sliced(ctx.store, input, ranges, { shape, strides, offset }), picks };
}
