/** The ways to take a view: its window on the storage, its value in the graph, and how an edit is put back. */
import { torchError } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { contiguousStrides, numel, sameShape } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { expandTo, reshapeTo, transpose } from "../ops/write.ts";
import { offsets, positionsOf } from "./elements.ts";
import { putElements, putSpread, withGradientAt } from "./overlaps.ts";
import type { Store, Window } from "./store.ts";
import type { Laid, Tensor, ViewStep } from "./tensor.ts";

export const windowOf = (tensor: Tensor): Window => ({
  shape: tensor.shape,
  strides: tensor.strides,
  offset: tensor.offset,
});

/** An axis counted from the front, with PyTorch's refusal. */
export function wrapDim(dim: number, rank: number): number {
  const range = Math.max(rank, 1);
  if (dim < -range || dim >= range)
    throw torchError(
      "IndexError",
      `Dimension out of range (expected to be in range of [${-range}, ${range - 1}], but got ${dim})`,
    );
  return dim < 0 ? dim + range : dim;
}

/** What is written over a tensor of `shape` would be broadcast to more than that. */
export const outputMisfit = (shape: readonly number[], broadcast: readonly number[]) =>
  torchError(
    "RuntimeError",
    `output with shape [${shape.join(", ")}] doesn't match the broadcast shape [${broadcast.join(", ")}]`,
  );

/** Several axes counted from the front, each named once. */
export function distinctAxes(dims: readonly number[], rank: number): number[] {
  const axes = dims.map((dim) => wrapDim(dim, rank));
  const twice = axes.find((axis, at) => axes.indexOf(axis) !== at);
  if (twice !== undefined)
    throw torchError("RuntimeError", `dim ${twice} appears multiple times in the list of dims`);
  return axes;
}

/** As `wrapDim`, of a tensor that must have axes. */
export function wrapAxis(dim: number, rank: number): number {
  if (rank === 0)
    throw torchError("IndexError", `Dimension specified as ${dim} but tensor has no dimensions`);
  return wrapDim(dim, rank);
}

export function permuted(store: Store, tensor: Tensor, perm: readonly number[]): Tensor {
  const inverse = perm.map((_, axis) => perm.indexOf(axis));
  const order = (value: Value, axes: readonly number[]) =>
    value.shape.length > axes.length ? [...axes, axes.length] : axes;
  return store.view(
    tensor,
    {
      shape: perm.map((from) => tensor.shape[from] as number),
      strides: perm.map((from) => tensor.strides[from] as number),
      offset: tensor.offset,
    },
    {
      name: "permute",
      apply: (emit, parent) => transpose(emit, parent, order(parent, perm)),
      write: (emit, parent, part) => transpose(emit, part, order(parent, inverse)),
    },
  );
}

/**
 * The same elements in the same order under another shape; `strides` where the window allows it,
 * `value` where it has been made already.
 */
export function reshaped(
  store: Store,
  tensor: Tensor,
  shape: readonly number[],
  strides: readonly number[],
  value?: Value,
): Tensor {
  const full = (like: Value) =>
    tensor.isComplex ? [...shape, like.shape.at(-1) as number] : shape;
  return store.view(
    tensor,
    { shape, strides, offset: tensor.offset },
    {
      name: "view",
      apply: (emit, parent) => reshapeTo(emit, parent, full(parent)),
      write: (emit, parent, part) => reshapeTo(emit, part, parent.shape),
    },
    value,
  );
}

/** Strides under which `shape` shows the same elements without a copy; null where there are none. */
export function viewStrides(tensor: Laid, shape: readonly number[]): number[] | null {
  if (numel(shape) === 0)
    return sameShape(shape, tensor.shape) ? [...tensor.strides] : contiguousStrides(shape);
  const strides = new Array<number>(shape.length).fill(1);
  let to = shape.length - 1;
  let chunkStride = tensor.strides.at(-1) ?? 1;
  let chunk = 1;
  let filled = 1;
  for (let from = tensor.shape.length - 1; from >= 0; from--) {
    chunk *= tensor.shape[from] as number;
    const next = from > 0 ? (tensor.strides[from - 1] as number) : 0;
    const ends =
      from === 0 || ((tensor.shape[from - 1] as number) !== 1 && next !== chunk * chunkStride);
    if (!ends) continue;
    while (to >= 0 && (filled < chunk || shape[to] === 1)) {
      strides[to] = filled * chunkStride;
      filled *= shape[to] as number;
      to--;
    }
    if (filled !== chunk) return null;
    if (from > 0) {
      chunkStride = next;
      chunk = 1;
      filled = 1;
    }
  }
  for (; to >= 0; to--) strides[to] = chunkStride;
  return strides;
}

/** A shape with at most one -1 made whole, with PyTorch's refusals. */
export function resolveShape(shape: readonly number[], length: number): number[] {
  const free = shape.indexOf(-1);
  const known = numel(shape.filter((size) => size !== -1));
  const text = `shape '[${shape.join(", ")}]' is invalid for input of size ${length}`;
  if (free < 0) {
    if (known !== length) throw torchError("RuntimeError", text);
    return [...shape];
  }
  if (known === 0 || length % known !== 0) throw torchError("RuntimeError", text);
  return shape.map((size) => (size === -1 ? length / known : size));
}

/** Whether a tensor of the one shape can be expanded to the other. */
export function broadcastsTo(from: readonly number[], to: readonly number[]): boolean {
  const extra = to.length - from.length;
  return extra >= 0 && from.every((size, axis) => size === 1 || size === to[axis + extra]);
}

/** Strides of a tensor that is expanded to `shape`. */
export function expandedStrides(tensor: Laid, shape: readonly number[]): number[] {
  const extra = shape.length - tensor.shape.length;
  const strides = new Array<number>(shape.length).fill(0);
  // What has no axes has no steps along those that it is given.
  const first = tensor.shape.length === 0 ? shape.length : 0;
  for (let axis = shape.length - 1; axis >= first; axis--) {
    const own = axis < extra ? 1 : (tensor.shape[axis - extra] as number);
    if (own === 1 && shape[axis] !== 1) continue;
    // An axis of one place that is put before the others is as long as they are.
    const inner = (shape[axis + 1] ?? 1) * (strides[axis + 1] ?? 1);
    strides[axis] = axis < extra ? inner : (tensor.strides[axis - extra] as number);
  }
  return strides;
}

/** `shape` is one that the tensor can be expanded to. */
export function expanded(store: Store, tensor: Tensor, shape: readonly number[]): Tensor {
  const strides = expandedStrides(tensor, shape);
  return store.view(
    tensor,
    { shape, strides, offset: tensor.offset },
    {
      name: "expand",
      apply: (emit, parent) => {
        const full = tensor.isComplex ? [...shape, 2] : shape;
        return expandTo(emit, parent, full);
      },
      write: (emit, parent, part) => putSpread(emit, parent, part, { shape, strides }),
    },
  );
}

/** One axis of a basic index: which positions, and whether the axis goes away. */
export interface AxisRange {
  readonly axis: number;
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** x[ranges], then under `shape` (axes dropped by an int, added by None). */
export function sliced(
  store: Store,
  tensor: Tensor,
  ranges: readonly AxisRange[],
  window: Window,
  part: { readonly value?: Value; readonly oneOfMany?: ViewStep["oneOfMany"] } = {},
): Tensor {
  const partial = ranges.filter(
    ({ axis, start, stop, step }) => start !== 0 || stop !== tensor.shape[axis] || step !== 1,
  );
  const shape = window.shape;
  const taken = (parent: Value) =>
    parent.shape.map((size, axis) => {
      const range = partial.find((r) => r.axis === axis);
      return range ? lengthOf(range) : size;
    });
  return store.view(
    tensor,
    window,
    {
      name: "slice",
      apply(emit, parent) {
        const region = takeRanges(emit, parent, partial);
        return reshapeTo(emit, region, tensor.isComplex ? [...shape, 2] : shape);
      },
      write(emit, parent, region) {
        const shared = partial.filter(
          (range) => tensor.strides[range.axis] === 0 && lengthOf(range) > 0,
        );
        const part = reshapeTo(emit, region, taken(parent));
        const own = partial.filter((range) => !shared.includes(range));
        return putRanges(emit, parent, own, alongAxes(emit, part, parent, shared));
      },
      ...(part.oneOfMany ? { oneOfMany: part.oneOfMany } : {}),
    },
    part.value,
  );
}

export const lengthOf = ({ start, stop, step }: AxisRange): number =>
  Math.max(0, Math.ceil((stop - start) / step));

/** `part` at all places of axes that show the same memory at each, as `whole` does. */
function alongAxes(emit: Emitter, part: Value, whole: Value, ranges: readonly AxisRange[]): Value {
  if (ranges.length === 0) return part;
  const first = ranges.map(({ axis }) => ({ axis, start: 0, stop: 1, step: 1 }));
  const shape = [...part.shape];
  for (const { axis } of ranges) shape[axis] = whole.shape[axis] as number;
  return expandTo(emit, takeRanges(emit, part, first), shape);
}

function takeRanges(emit: Emitter, x: Value, ranges: readonly AxisRange[]): Value {
  if (ranges.length === 0) return x;
  const of = (pick: (range: AxisRange) => number) => emit.ints(ranges.map(pick));
  return emit.op("Slice", [
    x,
    of((r) => r.start),
    of((r) => r.stop),
    of((r) => r.axis),
    of((r) => r.step),
  ]);
}

/** x with x[ranges] replaced by `part`. */
function putRanges(emit: Emitter, x: Value, ranges: readonly AxisRange[], part: Value): Value {
  const [range, ...inner] = ranges;
  if (range === undefined) return part;
  const region =
    inner.length > 0 ? putRanges(emit, takeRanges(emit, x, [range]), inner, part) : part;
  const size = x.shape[range.axis] as number;
  if (range.step !== 1) return putStrided(emit, x, range, region);
  const whole = (start: number, stop: number) =>
    takeRanges(emit, x, [{ axis: range.axis, start, stop, step: 1 }]);
  const parts = [
    ...(range.start > 0 ? [whole(0, range.start)] : []),
    region,
    ...(range.stop < size ? [whole(range.stop, size)] : []),
  ];
  return parts.length === 1 ? region : emit.op("Concat", parts, { axis: range.axis });
}

function putStrided(emit: Emitter, x: Value, range: AxisRange, part: Value): Value {
  const rank = x.shape.length;
  const toFront = [
    range.axis,
    ...Array.from({ length: rank }, (_, i) => i).filter((i) => i !== range.axis),
  ];
  const back = toFront.map((_, axis) => toFront.indexOf(axis));
  const positions = Float64Array.from(
    { length: lengthOf(range) },
    (_, i) => range.start + i * range.step,
  );
  const index = emit.constant({ dtype: "int64", shape: [positions.length, 1], data: positions });
  const edited = emit.op("ScatterND", [
    transpose(emit, x, toFront),
    index,
    transpose(emit, part, toFront),
  ]);
  return transpose(emit, edited, back);
}

/** The same window, its history cut (detach), or under another name. */
export function aliased(
  store: Store,
  tensor: Tensor,
  step: ViewStep,
  window: Partial<Window> = {},
): Tensor {
  return store.view(tensor, { ...windowOf(tensor), ...window }, step);
}

/**
 * Any window: element k of the view is element `index[k]` of the root. The general case of
 * as_strided, diagonal, unfold.
 */
export function strided(
  store: Store,
  tensor: Tensor,
  window: Window,
  name: string,
  seen: Tensor = tensor,
): Tensor {
  const positions = positionsOf(window, tensor);
  const takeOf = (emit: Emitter, whole: Value, of: Tensor, data: Float64Array): Value => {
    const flat = reshapeTo(emit, whole, [numel(of.shape), ...(of.isComplex ? [2] : [])]);
    const index = emit.constant({ dtype: "int64", shape: [...window.shape], data });
    return emit.op("Gather", [flat, index], { axis: 0 });
  };
  const take = (emit: Emitter, parent: Value): Value => takeOf(emit, parent, tensor, positions);
  return store.view(tensor, window, {
    name,
    ...(store.requiresGrad(tensor) && !store.requiresGrad(seen) ? { detaches: true } : {}),
    apply(emit, parent) {
      if (seen === tensor || !parent.requiresGrad) return take(emit, parent);
      const shown = placesWithin(seen, window);
      if (shown !== null) return takeOf(emit, store.read(seen), seen, shown);
      return throughElements(emit, take(emit, parent), window, seen);
    },
    applyAnew: take,
    write: (emit, parent, part) => putElements(emit, parent, part, window, tensor),
  });
}

/** Where a view shows the elements of a window, in row-major order; null: not all of them, or one twice. */
function placesWithin(view: Tensor, window: Window): Float64Array | null {
  const places = new Map<number, number>();
  offsets(view).forEach((offset, place) => {
    places.set(offset, place);
  });
  const needed = offsets(window);
  const isWhole = needed.every((offset) => places.has(offset));
  if (places.size < numel(view.shape) || !isWhole) return null;
  return needed.map((offset) => places.get(offset) as number);
}

/** The gradient of a window taken through a view reaches what the view shows, and nothing beyond. */
function throughElements(emit: Emitter, taken: Value, window: Window, view: Tensor): Value {
  if (!taken.requiresGrad) return taken;
  const shown = new Set(offsets(view));
  const reached = offsets(window).map((offset) => (shown.has(offset) ? 1 : 0));
  return withGradientAt(emit, taken, reached, view.isComplex);
}
