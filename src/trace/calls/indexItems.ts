/** The items of an index: what Python gives, as ints, slices and index tensors. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { allocate } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import {
  type Arg,
  describeArg,
  ellipsis,
  isScalar,
  isSlice,
  isTensor,
  type SliceArg,
  tensorsIn,
} from "../arguments.ts";
import type { CallContext } from "../call.ts";
import type { Tensor } from "../tensor.ts";
import type { AxisRange } from "../views.ts";
import { isIndex, outOfBounds, refuseOutside, valuesWithin } from "./places.ts";

/** A mask without axes: an axis of its own, of one element or of none. */
export function placesOfFlag(ctx: CallContext, flag: Tensor): Tensor {
  const count = ctx.store.numbers(flag)[0] ? 1 : 0;
  return ctx.store.fromNumbers({ dtype: "int64", isComplex: false }, [count], null);
}

export const isMask = (index: Tensor): boolean => index.dtype === "bool" || index.dtype === "uint8";

export function position(item: Arg, input: Tensor, axis: number): number {
  const index = isScalar(item) ? item.value : 0;
  const size = input.shape[axis] as number;
  if (index < -size || index >= size)
    throw torchError(
      "IndexError",
      `index ${index} is out of bounds for dimension ${axis} with size ${size}`,
    );
  return index < 0 ? index + size : index;
}

/** Lists become index tensors; a 0-dim integer whose number is known, an int; True and False, masks. */
export function asIndex(ctx: CallContext, item: Arg): Arg {
  if (Array.isArray(item)) return listTensor(ctx, item as readonly Arg[]);
  if (isScalar(item) && item.kind === "bool") {
    const data = allocate("bool", 1);
    data[0] = item.value;
    return ctx.store.fromNumbers({ dtype: "bool", isComplex: false }, [], data);
  }
  if (isTensor(item) && item.shape.length === 0 && isIndex(item) && ctx.store.isKnown(item))
    return { kind: "int", value: ctx.store.numbers(item)[0] as number };
  const fits =
    item === null ||
    item === ellipsis ||
    isSlice(item) ||
    isTensor(item) ||
    (isScalar(item) && item.kind === "int");
  if (typeof item === "string") throw torchError("TypeError", "new(): invalid data type 'str'");
  if (!fits)
    throw torchError(
      "IndexError",
      `only integers, slices (\`:\`), ellipsis (\`...\`), None and long or byte Variables are valid indices (got ${describeArg(item)})`,
    );
  return item;
}

function listTensor(ctx: CallContext, list: readonly Arg[]): Tensor {
  const shape: number[] = [];
  for (let at: Arg = list; Array.isArray(at); at = (at as readonly Arg[])[0] ?? null)
    shape.push(at.length);
  const flat = (list as readonly unknown[]).flat(Number.POSITIVE_INFINITY) as Arg[];
  const isBool = flat.length > 0 && flat.every((item) => isScalar(item) && item.kind === "bool");
  const type = isBool ? ("bool" as const) : ("int64" as const);
  const numbers = allocate(type, flat.length);
  flat.forEach((item, i) => {
    numbers[i] = isTensor(item)
      ? (ctx.store.numbers(item)[0] as number)
      : isScalar(item)
        ? Math.trunc(item.value)
        : 0;
  });
  return ctx.store.fromNumbers({ dtype: type, isComplex: false }, shape, numbers);
}

export function expandEllipsis(input: Tensor, items: readonly Arg[]): Arg[] {
  const consumed = items.reduce((n: number, item) => {
    if (item === null || item === ellipsis) return n;
    return n + (isTensor(item) && isMask(item) ? item.shape.length : 1);
  }, 0);
  const rank = input.shape.length;
  if (consumed > rank)
    throw torchError("IndexError", `too many indices for tensor of dimension ${rank}`);
  const rest = rank - consumed;
  const first = items.indexOf(ellipsis);
  const again = items.lastIndexOf(ellipsis);
  if (again > first && again < items.length - 1 && rest > 0) throw beyondTheLast(rank, rest);
  const whole: SliceArg = { start: null, stop: null, stepSize: null };
  return items.flatMap((item, at) => {
    if (item !== ellipsis) return [item];
    return at === first ? new Array<Arg>(rest).fill(whole) : [];
  });
}

/** A second ellipsis steps over as many axes as the first, past the last: nothing can follow. */
const beyondTheLast = (rank: number, rest: number) =>
  torchError(
    "IndexError",
    `Dimension out of range (expected to be in range of [${-rank}, ${rank - 1}], but got ${rank + rest})`,
  );

export function rangeOf(ctx: CallContext, slice: SliceArg, axis: number, size: number): AxisRange {
  const bound = (arg: Arg, fallback: number): number => {
    if (arg === null) return fallback;
    const value = isTensor(arg)
      ? (ctx.store.numbers(arg)[0] as number)
      : isScalar(arg)
        ? arg.value
        : 0;
    return Math.min(Math.max(value < 0 ? value + size : value, 0), size);
  };
  const step = isScalar(slice.stepSize) ? slice.stepSize.value : 1;
  if (step <= 0) throw torchError("ValueError", "step must be greater than zero");
  const start = bound(slice.start, 0);
  return { axis, start, stop: Math.max(start, bound(slice.stop, size)), step };
}

/** The masks of an index, and the tensors of the integers that it lists. */
export const savedIndices = (key: Arg): Tensor[] =>
  tensorsIn(key).filter((index) => index.shape.length > 0);

/** PyTorch counts the index tensors, not the axes that they stand at. */
export function picksWithin(ctx: CallContext, index: Tensor, place: number, size: number): Value {
  const range = { from: -size, below: size };
  const refuse = outOfBounds(place, size, "IndexError");
  refuseOutside(ctx, index, range, refuse);
  const picks = castTo(ctx.emit, ctx.store.read(index), "int64");
  return ctx.store.shown(index) ? picks : valuesWithin(ctx, picks, range, refuse);
}

/** x[:], x[…], x[()]: PyTorch edits x itself, not a view of it. */
export const isWholeKey = (key: Arg): boolean =>
  (Array.isArray(key) ? key : [key]).every(
    (item) =>
      item === ellipsis ||
      (isSlice(item) && item.start === null && item.stop === null && item.stepSize === null),
  );

/** x[True]: x itself, which PyTorch copies into. */
export const isTrue = (key: Arg): boolean => {
  const [only, ...more] = Array.isArray(key) ? key : [key];
  return more.length === 0 && isScalar(only) && only.kind === "bool" && only.value !== 0;
};
