import type { Emit, Value } from "../graph/graph.ts";
import { contiguousStrides, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { pick, stridedIndex } from "./kernels/strided.ts";
import { axisOf, type Known, knownNumbers } from "./shapes.ts";
import { padBy, reshapeTo, reverse, zerosOf } from "./write.ts";

/**
 * Every `steps`-th element from `starts` up to `ends` of `axes` (all constants).
 * https://onnx.ai/onnx/operators/onnx__Slice.html
 */
export const slice = defineOp({
  type: "Slice",
  inputs: ["data", "starts", "ends", "axes?", "steps?"],
  outputs: ["output"],
  infer: (at) => [
    { dtype: at.data.dtype, shape: rangesOf(at.data.shape, at).map(({ count }) => count) },
  ],
  grad: {
    data: (emit, at, _out, d) => spread(emit, d.output, rangesOf(at.data.shape, at), at.data.shape),
    starts: "none",
    ends: "none",
    axes: "none",
    steps: "none",
  },
  flops: () => 0,
  evaluate: (at, _attrs, [out]) => {
    const strides = contiguousStrides(at.data.shape);
    const ranges = rangesOf(at.data.shape, at);
    const first = ranges.reduce((sum, { start }, k) => sum + start * (strides[k] as number), 0);
    const read = ranges.map(({ step }, k) => step * (strides[k] as number));
    return [pick(at.data.data, stridedIndex(out?.shape ?? [], read, first), out)];
  },
});

/** The elements start, start + step, … of one axis. */
interface Range {
  readonly start: number;
  readonly count: number;
  readonly step: number;
}

type RangeInputs = {
  readonly starts: Known;
  readonly ends: Known;
  readonly axes: Known | null;
  readonly steps: Known | null;
};

function rangesOf(shape: readonly number[], at: RangeInputs): Range[] {
  const starts = knownNumbers("Slice", "starts", at.starts);
  const ends = knownNumbers("Slice", "ends", at.ends);
  const axes = at.axes ? knownNumbers("Slice", "axes", at.axes) : starts.map((_, k) => k);
  const steps = at.steps ? knownNumbers("Slice", "steps", at.steps) : starts.map(() => 1);
  const ranges = shape.map((count): Range => ({ start: 0, count, step: 1 }));
  axes.forEach((given, k) => {
    const axis = axisOf("Slice", given, shape.length);
    const size = shape[axis] as number;
    ranges[axis] = rangeOf(size, starts[k] as number, ends[k] as number, steps[k] as number);
  });
  return ranges;
}

/** Python's slice.indices: bounds count from the end if negative, and are clamped. */
function rangeOf(size: number, from: number, to: number, step: number): Range {
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const clamp = (at: number) => Math.min(Math.max(at < 0 ? at + size : at, low), high);
  const start = clamp(from);
  return { start, count: Math.max(Math.ceil((clamp(to) - start) / step), 0), step };
}

/** Zeros of `shape` with d at the ranges: what a slice reads once, its gradient writes once. */
function spread(emit: Emit, d: Value, ranges: readonly Range[], shape: readonly number[]): Value {
  if (numel(d.shape) === 0) return zerosOf(emit, d.dtype, shape);
  const backward = ranges.flatMap(({ step }, axis) => (step < 0 ? [axis] : []));
  let spaced = backward.length > 0 ? reverse(emit, d, backward) : d;
  const before = [];
  const after = [];
  for (const [axis, { start, count, step }] of ranges.entries()) {
    const first = step > 0 ? start : start + (count - 1) * step;
    const width = Math.abs(step);
    if (width > 1) spaced = insertZeros(emit, spaced, axis, width);
    before.push(first);
    after.push((shape[axis] as number) - first - count * width);
  }
  return padBy(emit, spaced, before, after);
}

/** Each element along `axis` followed by width − 1 zeros. */
function insertZeros(emit: Emit, x: Value, axis: number, width: number): Value {
  const column = reshapeTo(emit, x, x.shape.toSpliced(axis + 1, 0, 1));
  const none = column.shape.map(() => 0);
  const padded = padBy(emit, column, none, none.with(axis + 1, width - 1));
  return reshapeTo(emit, padded, x.shape.with(axis, (x.shape[axis] as number) * width));
}
