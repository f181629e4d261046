/** Pools whose windows follow from the size that is asked for. */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType, numel } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import { bool, int, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { needFloats } from "../kernels.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import { roundsSteps } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { meansInSteps, steppedMeans } from "./halfMeans.ts";
import { batched, poolNamespaces } from "./spatial.ts";
import { wideMeans } from "./wideWindows.ts";

const flag = withDefault(bool, false);

/** The window of output i along an axis: [⌊i · size / count⌋, ⌈(i + 1) · size / count⌉). */
const adaptiveWindow = (i: number, size: number, count: number): [number, number] => [
  Math.floor((i * size) / count),
  Math.ceil(((i + 1) * size) / count),
];

const needAdaptiveKernel = (kind: "avg" | "max", rank: number, input: Tensor): void =>
  needFloats(`adaptive_${kind}_pool${rank === 3 ? "3d_cpu" : "2d"}`, typeOf(input));

function adaptive(
  kind: "avg" | "max",
  rank: number,
  alongAxis: (emit: Emit, x: Value, axis: number, count: number) => Value,
) {
  const name = `adaptive_${kind}_pool${rank}d`;
  return torchCall({
    name,
    in: poolNamespaces(name),
    params: {
      input: tensor,
      output_size: sizesOrNone,
      return_indices: flag,
    },
    // A mean over everything is PyTorch's mean, which needs nothing of its input.
    saves: ({ output_size }) => {
      if (kind === "max") return ["input", "result1"];
      return output_size.every((size) => size === 1) ? [] : ["input"];
    },
    build: (ctx, { input, output_size, return_indices }): Result => {
      const { x, restore } = batched(ctx, input, name, rank);
      needAdaptiveKernel(kind, rank, input);
      const sizes = x.shape.slice(2);
      const counts = sizes.map((size, k) => {
        const asked = output_size.length === 1 ? output_size[0] : output_size[k];
        return asked ?? size;
      });
      if (return_indices) {
        const [y, places] = largestWithPlaces(ctx, x, counts);
        return [
          { typed: restore(y), as: input.dtype },
          { typed: restore(places), as: "int64" },
        ];
      }
      return {
        typed: restore(adapt(ctx, x, kind, counts, alongAxis, typeOf(input))),
        as: input.dtype,
      };
    },
  });
}

/** Ints, or None for the input's own size. */
const sizesOrNone = {
  describe: "int or tuple of ints",
  accept: (arg: Parameters<typeof int.accept>[0]): readonly (number | null)[] | undefined => {
    const items = (Array.isArray(arg) ? arg : [arg]) as (typeof arg)[];
    const read = items.map((item) => (item === null ? null : int.accept(item)));
    return read.includes(undefined) ? undefined : (read as (number | null)[]);
  },
};

/** Values and their places within an image. */
function largestWithPlaces(
  { emit }: CallContext,
  x: Value,
  counts: readonly number[],
): [Value, Value] {
  const sizes = x.shape.slice(2);
  if (counts.every((count, k) => (sizes[k] as number) % count === 0)) {
    const kernel = counts.map((count, k) => (sizes[k] as number) / count);
    const attrs = { kernel_shape: kernel, strides: kernel };
    const [y, indices] = emit.ops("MaxPool", [x], attrs, 2) as [Value, Value];
    return [y, emit.op("Mod", [indices, emit.scalar(numel(sizes), "int64")])];
  }
  const places = reshapeTo(emit, rangeOf(emit, numel(sizes)), [1, 1, ...sizes]);
  // From the last axis on: of equal numbers the first row by row is the largest.
  return counts.reduceRight<[Value, Value]>(
    ([y, held], count, k) => largestPlacesAlong(emit, y, held, k + 2, count),
    [x, expandTo(emit, places, x.shape)],
  );
}

function rangeOf(emit: Emit, count: number): Value {
  const data = allocate("int64", count);
  for (let at = 0; at < count; at++) data[at] = at;
  return emit.constant({ dtype: "int64", shape: [count], data });
}

/** The largest of each window along an axis, and what `places` has there. */
function largestPlacesAlong(
  emit: Emit,
  x: Value,
  places: Value,
  axis: number,
  count: number,
): [Value, Value] {
  const windows = windowsAlong(emit, x, axis, count, 2);
  const held = windows.map(([y, at], i) => {
    const [start, end] = adaptiveWindow(i, x.shape[axis] as number, count);
    const part = reshapeTo(emit, sliceAxis(emit, places, axis, start, end), [-1]);
    return reshapeTo(emit, emit.op("Gather", [part, at as Value], { axis: 0 }), (y as Value).shape);
  });
  const values = windows.map(([y]) => y as Value);
  return [emit.op("Concat", values, { axis }), emit.op("Concat", held, { axis })];
}

function adapt(
  ctx: CallContext,
  x: Value,
  kind: "avg" | "max",
  counts: readonly number[],
  alongAxis: (emit: Emit, x: Value, axis: number, count: number) => Value,
  type: TorchType,
): Value {
  if (kind === "avg" && counts.every((count) => count === 1) && !roundsSteps(type))
    return mean(ctx.emit, x);
  const pooled = () => windowsPooled(ctx.emit, x, kind, counts, alongAxis);
  // A mean over everything is PyTorch's mean.
  if (kind === "max" || !roundsSteps(type) || numel(counts) === 1) return pooled();
  return halfMeans(ctx.emit, x, counts, type, pooled);
}

/** PyTorch's mean over everything, whose gradient needs nothing of the input. */
const mean = (emit: Emit, x: Value): Value =>
  emit.op("ReduceMean", [x, emit.ints(x.shape.slice(2).map((_, k) => k + 2))], { keepdims: 1 });

function windowsPooled(
  emit: Emit,
  x: Value,
  kind: "avg" | "max",
  counts: readonly number[],
  alongAxis: (emit: Emit, x: Value, axis: number, count: number) => Value,
): Value {
  const sizes = x.shape.slice(2);
  if (counts.every((count, k) => (sizes[k] as number) % count === 0)) {
    const kernel = counts.map((count, k) => (sizes[k] as number) / count);
    if (kind === "max") return emit.op("MaxPool", [x], { kernel_shape: kernel, strides: kernel });
    return x.dtype === "float64"
      ? wideMeans(emit, x, kernel, besideEachOther(kernel))
      : emit.op("AveragePool", [x], { kernel_shape: kernel, strides: kernel });
  }
  // From the last axis on: of equal numbers the first row by row is the largest.
  return counts.reduceRight((y, count, k) => alongAxis(emit, y, k + 2, count), x);
}

/** In half precision, where sums over three axes are rounded too. */
function halfMeans(
  emit: CallContext["emit"],
  x: Value,
  counts: readonly number[],
  type: TorchType,
  pooled: () => Value,
): Value {
  const rank = counts.length;
  const spans = counts.map((count, k) => {
    const size = x.shape[k + 2] as number;
    return Array.from({ length: count }, (_, i) => adaptiveWindow(i, size, count));
  });
  const divisors = spans.map((windows, k) => ({
    shape: [windows.length, ...new Array<number>(rank - 1 - k).fill(1)],
    numbers: windows.map(([start, end]) => end - start),
  }));
  return meansInSteps(emit, x, spans, divisors, type, () => {
    const stepped = rank === 3 ? steppedMeans(emit, x, spans, divisors, type) : null;
    return stepped ?? pooled();
  });
}

const besideEachOther = (kernel: readonly number[]) => ({
  strides: kernel,
  dilations: kernel.map(() => 1),
  pads: kernel.flatMap(() => [0, 0]),
});

/** What windows of several lengths hold beyond their own elements counts as 0. */
function meansAlong(emit: Emit, x: Value, axis: number, count: number): Value {
  const size = x.shape[axis] as number;
  if (size === count) return x;
  const windows = Array.from({ length: count }, (_, i) => adaptiveWindow(i, size, count));
  const lengths = windows.map(([start, end]) => end - start);
  const longest = Math.max(...lengths);
  const table = (dtype: DType, columns: number, numberAt: (i: number, at: number) => number) => {
    const data = allocate(dtype, count * columns);
    for (let k = 0; k < data.length; k++) data[k] = numberAt(Math.floor(k / columns), k % columns);
    return emit.constant({ dtype, shape: [count, columns], data });
  };
  const places = table("int64", longest, (i, at) => {
    const [start, end] = windows[i] as [number, number];
    return Math.min(start + at, end - 1);
  });
  const below = x.shape.slice(axis + 1).map(() => 1);
  const spreadOut = (constant: Value) => reshapeTo(emit, constant, [...constant.shape, ...below]);
  const held = emit.op("Gather", [x, places], { axis });
  const own = table("bool", longest, (i, at) => (at < (lengths[i] as number) ? 1 : 0));
  const isEven = lengths.every((length) => length === longest);
  const zero = emit.scalar(0, x.dtype);
  const counted = isEven ? held : emit.op("Where", [spreadOut(own), held, zero]);
  const shares = spreadOut(table(x.dtype, 1, (i) => 1 / (lengths[i] as number)));
  const shared = reshapeTo(emit, shares, [count, ...below]);
  const sums = emit.op("ReduceSum", [counted, emit.ints([axis + 1])], { keepdims: 0 });
  return emit.op("Mul", [sums, shared]);
}

const largestAlong = (emit: Emit, x: Value, axis: number, count: number): Value =>
  emit.op(
    "Concat",
    windowsAlong(emit, x, axis, count, 1).map(([y]) => y as Value),
    { axis },
  );

/** The largest of each window along an axis, with its place among the window's elements if `outputs` is 2. */
function windowsAlong(
  emit: Emit,
  x: Value,
  axis: number,
  count: number,
  outputs: 1 | 2,
): Value[][] {
  const size = x.shape[axis] as number;
  return Array.from({ length: count }, (_, i) => {
    const [start, end] = adaptiveWindow(i, size, count);
    const part = sliceAxis(emit, x, axis, start, end);
    const kernel = x.shape.slice(2).map((_, k) => (k + 2 === axis ? end - start : 1));
    const attrs = { kernel_shape: kernel, strides: kernel.map(() => 1) };
    return emit.ops("MaxPool", [part], attrs, outputs);
  });
}

export const adaptiveAvgPool1d = adaptive("avg", 1, meansAlong);
export const adaptiveAvgPool2d = adaptive("avg", 2, meansAlong);
export const adaptiveAvgPool3d = adaptive("avg", 3, meansAlong);
export const adaptiveMaxPool1d = adaptive("max", 1, largestAlong);
export const adaptiveMaxPool2d = adaptive("max", 2, largestAlong);
export const adaptiveMaxPool3d = adaptive("max", 3, largestAlong);

/** What `interpolate` calls mode "area". */
export function areaMeans(
  ctx: CallContext,
  x: Value,
  input: Tensor,
  counts: readonly number[],
): Value {
  needAdaptiveKernel("avg", counts.length, input);
  return adapt(ctx, x, "avg", counts, meansAlong, typeOf(input));
}
