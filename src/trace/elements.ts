/** Which elements of memory a strided window shows, and reading and writing numbers through it. */
import { type Numbers, numel } from "../graph/tensor.ts";
import { isContiguous, type Laid, type Tensor } from "./tensor.ts";

/** A stretch of memory seen under a shape. */
export interface Stretch extends Laid {
  readonly offset: number;
}

/** Offsets in memory of a window's elements, row by row. */
export function offsets({ shape, strides, offset }: Stretch): Float64Array {
  const found = new Float64Array(numel(shape));
  let at = 0;
  forEachOffset(shape, strides, offset, (element) => {
    found[at++] = element;
  });
  return found;
}

/** Positions of a window's elements within the row-major elements of `parent`. */
export function positionsOf(window: Stretch, parent: Stretch): Float64Array {
  const shown = offsets(window);
  if (isContiguous(parent.shape, parent.strides))
    return shown.map((offset) => offset - parent.offset);
  const inParent = new Map<number, number>();
  offsets(parent).forEach((offset, position) => {
    inParent.set(offset, position);
  });
  return shown.map((offset) => inParent.get(offset) ?? 0);
}

/** Whether some element of memory is shown at several places. */
export function showsTwice({ shape, strides }: Laid): boolean {
  if (!mayOverlap(shape, strides) || shape.includes(0)) return false;
  if (shape.some((size, axis) => size > 1 && strides[axis] === 0)) return true;
  return new Set(offsets({ shape, strides, offset: 0 })).size < numel(shape);
}

/** Whether steps along the shorter axes may reach as far as one step along a longer one. */
function mayOverlap(shape: readonly number[], strides: readonly number[]): boolean {
  const axes = shape
    .map((size, axis) => ({ size, stride: strides[axis] as number }))
    .filter(({ size }) => size !== 1)
    .sort((a, b) => a.stride - b.stride);
  let reach = 0;
  for (const { size, stride } of axes) {
    if (stride <= reach) return true;
    reach += (size - 1) * stride;
  }
  return false;
}

/**
 * The row-major places of a window in the order in which PyTorch writes them: the axes by their
 * strides, of equal ones the longer first (TensorIterator).
 */
export function writingOrder({ shape, strides }: Laid): Float64Array {
  const axes = shape
    .map((size, axis) => ({ axis, size, stride: strides[axis] as number }))
    .sort((a, b) => b.stride - a.stride || b.size - a.size || a.axis - b.axis)
    .map(({ axis }) => axis);
  const steps = new Array<number>(shape.length).fill(1);
  for (let axis = shape.length - 2; axis >= 0; axis--)
    steps[axis] = (steps[axis + 1] as number) * (shape[axis + 1] as number);
  const [sizes, strideOf] = [shape, steps].map((of) => axes.map((axis) => of[axis] as number));
  return offsets({ shape: sizes as number[], strides: strideOf as number[], offset: 0 });
}

/**
 * Places of a window in which each element of memory is at most once: those that are written
 * first, those that are written second.
 */
export function layersOf(window: Laid, positions: Float64Array): number[][] {
  const layers: number[][] = [];
  const times = new Map<number, number>();
  for (const place of writingOrder(window)) {
    const position = positions[place] as number;
    const time = times.get(position) ?? 0;
    times.set(position, time + 1);
    layers[time] ??= [];
    layers[time].push(place);
  }
  return layers;
}

/** Row-major numbers as memory holds them. */
export function inMemory(
  rows: Numbers,
  { shape, strides, isComplex }: Pick<Tensor, "shape" | "strides" | "isComplex">,
): Numbers {
  if (isContiguous(shape, strides)) return rows.slice();
  const numbers = new (rows.constructor as new (length: number) => Numbers)(rows.length);
  scatterStrided(numbers, shape, strides, 0, isComplex ? 2 : 1, rows);
  return numbers;
}

/** Row-major copy of a strided window. `group` numbers per element: 2 for complex. */
export function gatherStrided(
  source: Numbers,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
  group: number,
): Numbers {
  const length = numel(shape);
  if (isContiguous(shape, strides))
    return source.subarray(offset * group, (offset + length) * group);
  const out = new (source.constructor as new (length: number) => Numbers)(length * group);
  let to = 0;
  forEachOffset(shape, strides, offset, (from) => {
    for (let part = 0; part < group; part++) out[to++] = source[from * group + part] as number;
  });
  return out;
}

/**
 * Writes row-major numbers into a strided window. Where the window shows an element more than once,
 * an edit of one place stays although the others, unedited, show what was there before.
 */
export function scatterStrided(
  target: Numbers,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
  group: number,
  source: Numbers,
): void {
  // A window without elements may lie beyond the memory.
  if (source.length === 0) return;
  if (isContiguous(shape, strides)) {
    target.set(source, offset * group);
    return;
  }
  if (mayOverlap(shape, strides)) {
    scatterOverlapping(target, { shape, strides, offset }, group, source);
    return;
  }
  let from = 0;
  forEachOffset(shape, strides, offset, (to) => {
    for (let part = 0; part < group; part++) target[to * group + part] = source[from++] as number;
  });
}

function scatterOverlapping(
  target: Numbers,
  window: Stretch,
  group: number,
  source: Numbers,
): void {
  const before = target.slice();
  const shown = offsets(window);
  for (const place of writingOrder(window))
    for (let part = 0; part < group; part++) {
      const to = (shown[place] as number) * group + part;
      const number = source[place * group + part] as number;
      if (!Object.is(before[to], number)) target[to] = number;
    }
}

function forEachOffset(
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
  visit: (offset: number) => void,
): void {
  const rank = shape.length;
  if (shape.some((size) => size === 0)) return;
  if (rank === 0) {
    visit(offset);
    return;
  }
  const counter = new Array<number>(rank).fill(0);
  let at = offset;
  for (;;) {
    visit(at);
    let axis = rank - 1;
    for (; axis >= 0; axis--) {
      const next = (counter[axis] as number) + 1;
      at += strides[axis] as number;
      if (next < (shape[axis] as number)) {
        counter[axis] = next;
        break;
      }
      at -= next * (strides[axis] as number);
      counter[axis] = 0;
    }
    if (axis < 0) return;
  }
}
