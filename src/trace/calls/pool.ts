/** Pools: the largest element or the mean of each window. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType, isHalf, isInteger, numel } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import { bool, int, ints, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Namespace, type Result, type Typed, torchCall } from "../call.ts";
import { cppName } from "../dispatch.ts";
import { batched, maybePerAxis, perAxis, spread, windowCount } from "./spatial.ts";

/** torch itself has the pools of one axis, and all that take maxima. */
const namespaces = (name: string): readonly Namespace[] =>
  /^max_pool|1d$/.test(name) ? ["torch", "torch.nn.functional"] : ["torch.nn.functional"];
const flag = withDefault(bool, false);

interface Windows {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly padding: readonly number[];
  readonly dilations: readonly number[];
  readonly counts: readonly number[];
}

interface PoolArgs {
  readonly kernel_size: readonly number[];
  readonly stride: readonly number[] | null;
  readonly padding: readonly number[];
  readonly dilation?: readonly number[];
  readonly ceil_mode: boolean;
}

function windowsOf(sizes: readonly number[], args: PoolArgs): Windows {
  const rank = sizes.length;
  const kernel = spread("kernel_size", args.kernel_size, rank);
  const given = args.stride && args.stride.length > 0 ? args.stride : kernel;
  const strides = spread("stride", given, rank);
  const padding = spread("padding", args.padding, rank);
  const dilations = spread("dilation", args.dilation ?? [1], rank);
  const at = (list: readonly number[], k: number) => list[k] as number;
  const counts = sizes.map((size, k) =>
    windowCount(
      size,
      at(kernel, k),
      at(strides, k),
      at(padding, k),
      at(dilations, k),
      args.ceil_mode,
    ),
  );
  const wide = padding.findIndex((pad, k) => pad > Math.floor(at(kernel, k) / 2));
  if (wide >= 0)
    throw torchError(
      "RuntimeError",
      `pad should be at most half of effective kernel size, but got pad=${padding[wide]}, kernel_size=${kernel[wide]} and dilation=${dilations[wide]}`,
    );
  return { kernel, strides, padding, dilations, counts };
}

/** ONNX's attributes: what windows reach behind the input is padding after it. */
function attrsOf(sizes: readonly number[], windows: Windows) {
  const { kernel, strides, padding, dilations, counts } = windows;
  const after = sizes.map((size, k) => {
    const span = (dilations[k] as number) * ((kernel[k] as number) - 1) + 1;
    const end = ((counts[k] as number) - 1) * (strides[k] as number) + span;
    return Math.max(0, end - size - (padding[k] as number));
  });
  return { kernel_shape: kernel, strides, dilations, pads: [...padding, ...after] };
}

type WindowAttrs = ReturnType<typeof attrsOf>;

/** ONNX Runtime wants less padding after an axis than the window is long. */
const reachesFar = ({ pads, kernel_shape }: WindowAttrs, rank: number): boolean =>
  pads.slice(rank).some((pad, k) => pad >= (kernel_shape[k] as number));

/** The largest of each window, and where they are within the padded axes. */
function paddedMaxima(
  emit: Emit,
  x: Value,
  attrs: WindowAttrs,
  rank: number,
): [Value, Value, readonly number[]] {
  const none = [0, 0, ...new Array<number>(rank).fill(0)];
  const after = [0, 0, ...attrs.pads.slice(rank)];
  const lowest = emit.scalar(Number.NEGATIVE_INFINITY, x.dtype);
  const padded = emit.op("Pad", [x, emit.ints([...none, ...after]), lowest]);
  const pads = attrs.pads.map((pad, k) => (k < rank ? pad : 0));
  const [y, places] = emit.ops("MaxPool", [padded], { ...attrs, pads }, 2) as [Value, Value];
  return [y, places, padded.shape.slice(2)];
}

/** Places among `held` elements as places among the first `sizes` of each axis. */
function placesWithin(
  emit: Emit,
  places: Value,
  held: readonly number[],
  sizes: readonly number[],
): Value {
  if (held.join() === sizes.join()) return places;
  let [rest, result, below] = [places, emit.scalar(0, "int64"), 1];
  for (let axis = held.length - 1; axis >= 0; axis--) {
    const size = emit.scalar(held[axis] as number, "int64");
    const along = emit.op("Mul", [emit.op("Mod", [rest, size]), emit.scalar(below, "int64")]);
    [rest, result] = [emit.op("Div", [rest, size]), emit.op("Add", [result, along])];
    below *= sizes[axis] as number;
  }
  return result;
}

function maxPool(rank: number, name = `max_pool${rank}d`, alwaysPlaces = false) {
  return torchCall({
    name,
    in: namespaces(name),
    params: {
      input: tensor,
      kernel_size: ints,
      stride: maybePerAxis,
      padding: perAxis(0),
      dilation: perAxis(1),
      ceil_mode: flag,
      return_indices: flag,
    },
    saves: ["input", "result1"],
    build: (ctx, { input, return_indices, ...args }): Result => {
      const { x, restore } = batched(ctx, input, `max_pool${rank}d`, rank);
      const sizes = x.shape.slice(2);
      const attrs = attrsOf(sizes, windowsOf(sizes, args));
      const wantsPlaces = return_indices || alwaysPlaces;
      const [y, indices, held] = reachesFar(attrs, rank)
        ? paddedMaxima(ctx.emit, x, attrs, rank)
        : ([...ctx.emit.ops("MaxPool", [x], attrs, 2), sizes] as [Value, Value, number[]]);
      const typed = { typed: restore(y), as: input.dtype } as const;
      if (!wantsPlaces) return typed;
      const among = ctx.emit.op("Mod", [indices, ctx.emit.scalar(numel(held), "int64")]);
      const within = placesWithin(ctx.emit, among, held, sizes);
      return [typed, { typed: restore(within), as: "int64" }];
    },
  });
}
export const maxPool1d = maxPool(1);
export const maxPool2d = maxPool(2);
export const maxPool3d = maxPool(3);
export const maxPool1dWithIndices = maxPool(1, "max_pool1d_with_indices", true);
export const maxPool2dWithIndices = maxPool(2, "max_pool2d_with_indices", true);
export const maxPool3dWithIndices = maxPool(3, "max_pool3d_with_indices", true);

function averagePool(rank: number) {
  const name = `avg_pool${rank}d`;
  return torchCall({
    name,
    in: namespaces(name),
    params: {
      input: tensor,
      kernel_size: ints,
      stride: maybePerAxis,
      padding: perAxis(0),
      ceil_mode: flag,
      count_include_pad: withDefault(bool, true),
      divisor_override: optional(int),
    },
    saves: ["input"],
    build: (ctx, { input, count_include_pad, divisor_override, ...args }): Typed => {
      if (rank === 3 && (isHalf(input.dtype) || input.dtype === "bool"))
        throw torchError(
          "NotImplementedError",
          `"avg_pool3d_out_frame" not implemented for '${cppName(input.dtype)}'`,
        );
      const { x, restore } = batched(ctx, input, name, rank);
      const sizes = x.shape.slice(2);
      const windows = windowsOf(sizes, args);
      const attrs = { ...attrsOf(sizes, windows), count_include_pad: 1 };
      const means = ctx.emit.op("AveragePool", [x], attrs);
      const divisors = divisorsOf(sizes, windows, count_include_pad, divisor_override);
      const y = divided(ctx.emit, means, windows, divisors);
      return { typed: restore(isInteger(input.dtype) ? cutOff(ctx.emit, y) : y), as: input.dtype };
    },
  });
}
export const avgPool1d = averagePool(1);
export const avgPool2d = averagePool(2);
export const avgPool3d = averagePool(3);

/** Integers are cut off: a mean that is one may lie a last digit below it. */
const cutOff = (emit: CallContext["emit"], y: Value): Value =>
  emit.op("Mul", [y, emit.scalar(1 + 2e-6, y.dtype)]);

/** By what each window's sum is divided: its elements within the input, or within its padding. */
function divisorsOf(
  sizes: readonly number[],
  { kernel, strides, padding, counts }: Windows,
  includePadding: boolean,
  override: number | null,
): number[] {
  if (override !== null) return new Array<number>(numel(counts)).fill(override);
  const alongAxis = counts.map((count, k) =>
    Array.from({ length: count }, (_, i) => {
      const pad = padding[k] as number;
      const start = i * (strides[k] as number) - pad;
      const end = Math.min(start + (kernel[k] as number), (sizes[k] as number) + pad);
      if (includePadding) return end - start;
      return Math.min(end, sizes[k] as number) - Math.max(start, 0);
    }),
  );
  return alongAxis.reduce((all, axis) => all.flatMap((n) => axis.map((m) => n * m)), [1]);
}

/** The means over whole windows, corrected where another number divides. */
function divided(emit: Emit, means: Value, windows: Windows, divisors: readonly number[]): Value {
  const area = numel(windows.kernel);
  if (divisors.every((divisor) => divisor === area)) return means;
  const data = allocate(means.dtype, divisors.length);
  divisors.forEach((divisor, at) => {
    data[at] = area / divisor;
  });
  const factors = emit.constant({ dtype: means.dtype, shape: windows.counts, data });
  return emit.op("Mul", [means, factors]);
}

/** The window of output i along an axis: [⌊i · size / count⌋, ⌈(i + 1) · size / count⌉). */
const adaptiveWindow = (i: number, size: number, count: number): [number, number] => [
  Math.floor((i * size) / count),
  Math.ceil(((i + 1) * size) / count),
];

function adaptive(
  kind: "avg" | "max",
  rank: number,
  alongAxis: (emit: Emit, x: Value, axis: number, count: number) => Value,
) {
  const name = `adaptive_${kind}_pool${rank}d`;
  return torchCall({
    name,
    in: namespaces(name),
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
      return { typed: restore(adapt(ctx, x, kind, counts, alongAxis)), as: input.dtype };
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
): Value {
  const sizes = x.shape.slice(2);
  if (counts.every((count, k) => (sizes[k] as number) % count === 0)) {
    const kernel = counts.map((count, k) => (sizes[k] as number) / count);
    const attrs = { kernel_shape: kernel, strides: kernel };
    return ctx.emit.op(kind === "avg" ? "AveragePool" : "MaxPool", [x], attrs);
  }
  // From the last axis on: of equal numbers the first row by row is the largest.
  return counts.reduceRight((y, count, k) => alongAxis(ctx.emit, y, k + 2, count), x);
}

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
export const areaMeans = (ctx: CallContext, x: Value, counts: readonly number[]): Value =>
  adapt(ctx, x, "avg", counts, meansAlong);
