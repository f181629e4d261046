/**
 * Edits of windows, put back into what they are windows of. Where a window shows an element of memory
 * at several places, an edit of one of them stays although the others, unedited, show what was there
 * before.
 */
import type { Emit, Value } from "../graph/graph.ts";
import { allocate, isFloat, numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { expandTo, reshapeTo, selected, transpose } from "../ops/write.ts";
import {
  layersOf,
  offsets,
  positionsOf,
  type Stretch,
  showsTwice,
  writingOrder,
} from "./elements.ts";
import type { Laid, Tensor } from "./tensor.ts";

/** `parent`, the value of `within`, with `part` at the elements that `window` shows. */
export function putElements(
  emit: Emitter,
  parent: Value,
  part: Value,
  window: Stretch,
  within: Tensor,
): Value {
  const positions = positionsOf(window, within);
  const pairs = within.isComplex ? [2] : [];
  const flat = reshapeTo(emit, parent, [numel(within.shape), ...pairs]);
  const rows = reshapeTo(emit, part, [positions.length, ...pairs]);
  const layers = layersOf(window, positions);
  const put = () =>
    layers.reduce(
      (x, layer) => putAt(emit, x, flat, rows, positions, layer, layers.length > 1),
      flat,
    );
  const made = layers.length > 1 ? putTwice(emit, flat, rows, positions, put) : put();
  return reshapeTo(emit, made, parent.shape);
}

/** x with rows[layer] at their positions; `old` is what was there before all layers. */
function putAt(
  emit: Emitter,
  x: Value,
  old: Value,
  rows: Value,
  positions: Float64Array,
  layer: readonly number[],
  overlaps: boolean,
): Value {
  const places = Float64Array.from(layer, (at) => positions[at] as number);
  const index = emit.constant({ dtype: "int64", shape: [layer.length, 1], data: places });
  const given = taken(emit, rows, Float64Array.from(layer));
  if (!overlaps) return emit.op("ScatterND", [x, index, given]);
  const stays = isSame(emit, given, taken(emit, old, places));
  return emit.op("ScatterND", [x, index, selected(emit, stays, taken(emit, x, places), given)]);
}

const taken = (emit: Emit, from: Value, at: Float64Array): Value =>
  emit.op("Gather", [from, emit.ints(Array.from(at))], { axis: 0 });

/** What PyTorch does in backward: every place of the window has the gradient of its element. */
function putTwice(
  emit: Emitter,
  flat: Value,
  rows: Value,
  positions: Float64Array,
  put: () => Value,
): Value {
  const [made] = emit.grouped(
    [flat, rows],
    () => [put()],
    (backward, [d]) => {
      if (!d) return [null, null];
      const kept = allocate(d.dtype, flat.shape[0] as number).fill(1);
      for (const position of positions) kept[position] = 0;
      return [maskedBy(backward, d, kept), taken(backward, d, positions)];
    },
  );
  return made as Value;
}

/** Of d, rows where `kept` has a 1; zeros elsewhere. */
function maskedBy(emit: Emit, d: Value, kept: ReturnType<typeof allocate>): Value {
  const shape = d.shape.map((size, axis) => (axis === 0 ? size : 1));
  return emit.op("Mul", [d, emit.constant({ dtype: d.dtype, shape, data: kept })]);
}

/** The same value, whose gradient is 0 where `reached`, of its elements, has a 0. */
export function withGradientAt(
  emit: Emitter,
  value: Value,
  reached: Float64Array,
  isComplex: boolean,
): Value {
  if (!value.requiresGrad || !reached.includes(0)) return value;
  const rows = isComplex ? [reached.length, 2] : [reached.length];
  const data = allocate(value.dtype, reached.length);
  data.set(reached);
  const [made] = emit.grouped(
    [value],
    () => [emit.op("Identity", [value])],
    (backward, [d]) => [
      d
        ? reshapeTo(backward, maskedBy(backward, reshapeTo(backward, d, rows), data), d.shape)
        : null,
    ],
  );
  return made as Value;
}

/**
 * The value of a window that is about to be edited. The gradient that arrives at it is copied to the
 * elements that it shows: that of the place written last stays (CopySlices).
 */
export function beforeEdit(emit: Emitter, value: Value, target: Tensor): Value {
  if (!value.requiresGrad || !showsTwice(target)) return value;
  const reached = lastPlaces(target).map((last, place) => (last === place ? 1 : 0));
  return withGradientAt(emit, value, reached, target.isComplex);
}

/**
 * What a window shows once `value` was written to all of its places, one after the other. In backward
 * each place has the gradient of its element.
 */
export function writtenInTurn(emit: Emitter, value: Value, target: Tensor): Value {
  if (!showsTwice(target)) return value;
  const pairs = target.isComplex ? [2] : [];
  const last = lastPlaces(target);
  const make = () => {
    const rows = reshapeTo(emit, value, [last.length, ...pairs]);
    return [reshapeTo(emit, taken(emit, rows, last), value.shape)];
  };
  if (!value.requiresGrad) return make()[0] as Value;
  return emit.grouped([value], make, (_backward, [d]) => [d ?? null])[0] as Value;
}

/** Of each place of a window, which place of its element is written last. */
function lastPlaces(target: Tensor): Float64Array {
  const shown = offsets(target);
  const last = new Map<number, number>();
  for (const place of writingOrder(target)) last.set(shown[place] as number, place);
  return shown.map((offset) => last.get(offset) as number);
}

/**
 * `parent`, expanded to `window`, after an edit that made `part` of it: of the places of an element
 * the last one that was edited.
 */
export function putSpread(emit: Emitter, parent: Value, part: Value, window: Laid): Value {
  const { shape, strides } = window;
  const isSpread = (axis: number) => (shape[axis] as number) > 1 && strides[axis] === 0;
  const axes = part.shape.map((_, axis) => axis);
  const [spread, own] = [axes.filter(isSpread), axes.filter((axis) => !isSpread(axis))];
  if (spread.length === 0) return reshapeTo(emit, part, parent.shape);
  const count = numel(spread.map((axis) => shape[axis] as number));
  const flat = reshapeTo(emit, parent, [numel(parent.shape), 1]);
  const places = reshapeTo(emit, transpose(emit, part, [...own, ...spread]), [
    numel(parent.shape),
    count,
  ]);
  const order = emit.constant({
    dtype: "int64",
    shape: [count],
    data: Float64Array.from({ length: count }, (_, at) => at + 1),
  });
  const stays = isSame(emit, places, expandTo(emit, flat, places.shape));
  const times = emit.op("Where", [stays, emit.scalar(0, "int64"), order]);
  const last = emit.op("ReduceMax", [times, emit.ints([1])], { keepdims: 1 });
  const at = emit.op("Max", [
    emit.op("Sub", [last, emit.scalar(1, "int64")]),
    emit.scalar(0, "int64"),
  ]);
  // Where none was edited the first place shows what was there.
  const picked = emit.op("GatherElements", [places, at], { axis: 1 });
  return reshapeTo(emit, picked, parent.shape);
}

/** Where two values are equal, or NaN both. */
function isSame(emit: Emit, a: Value, b: Value): Value {
  const equal = emit.op("Equal", [a, b]);
  if (!isFloat(a.dtype)) return equal;
  const bothNaN = emit.op("And", [emit.op("IsNaN", [a]), emit.op("IsNaN", [b])]);
  return emit.op("Or", [equal, bothNaN]);
}
