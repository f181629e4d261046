/** Pools: the largest element or the mean of each window. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, isHalf, isInteger, numel } from "../../graph/tensor.ts";
import { bool, int, ints, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Result, type Typed, torchCall } from "../call.ts";
import { needFloats, noKernel, refuseKinds } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import { wrapDim } from "../views.ts";
import { meansInSteps, type Span } from "./halfMeans.ts";
import { batched, maybePerAxis, perAxis, poolNamespaces, spread, windowCount } from "./spatial.ts";
import { wideMeans } from "./wideWindows.ts";

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
    in: poolNamespaces(name),
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
      const wantsPlaces = return_indices || alwaysPlaces;
      if (rank === 1 && !wantsPlaces) needFloats("max_pool1d_impl", typeOf(input));
      refuseKinds(`max_pool${Math.max(rank, 2)}d`, typeOf(input), ["bool"]);
      const { x, restore } = batched(ctx, input, `max_pool${rank}d`, rank);
      const sizes = x.shape.slice(2);
      const attrs = attrsOf(sizes, windowsOf(sizes, args));
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
    in: poolNamespaces(name),
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
      if (rank === 2) wrapDim(-3, input.shape.length);
      const kernel = rank === 3 ? "avg_pool3d_out_frame" : "avg_pool2d";
      if (rank === 3 && isHalf(input.dtype)) throw noKernel(kernel, typeOf(input));
      needFloats(kernel, typeOf(input), ["int64"]);
      const { x, restore } = batched(ctx, input, name, rank);
      const sizes = x.shape.slice(2);
      const windows = windowsOf(sizes, args);
      const numbers = divisorsOf(sizes, windows, count_include_pad, divisor_override);
      const make = () =>
        divided(ctx.emit, meansOf(ctx.emit, x, attrsOf(sizes, windows)), windows, numbers);
      const divisors = [{ shape: windows.counts, numbers }];
      const y = meansInSteps(ctx.emit, x, spansOf(sizes, windows), divisors, typeOf(input), make);
      return { typed: restore(isInteger(input.dtype) ? cutOff(ctx.emit, y) : y), as: input.dtype };
    },
  });
}
export const avgPool1d = averagePool(1);
export const avgPool2d = averagePool(2);
export const avgPool3d = averagePool(3);

/** The mean of each window, padding counting as zeros. */
const meansOf = (emit: Emit, x: Value, attrs: WindowAttrs): Value =>
  x.dtype === "float64"
    ? wideMeans(emit, x, attrs.kernel_shape, attrs)
    : emit.op("AveragePool", [x], { ...attrs, count_include_pad: 1 });

/** Integers are cut off: a mean that is one may lie a last digit below it. */
const cutOff = (emit: CallContext["emit"], y: Value): Value =>
  emit.op("Mul", [y, emit.scalar(1 + 2e-6, y.dtype)]);

/** What each window has of each axis. */
const spansOf = (sizes: readonly number[], windows: Windows): Span[][] =>
  windows.counts.map((count, k) =>
    Array.from({ length: count }, (_, i) => {
      const start = i * (windows.strides[k] as number) - (windows.padding[k] as number);
      const end = start + (windows.kernel[k] as number);
      return [Math.max(start, 0), Math.min(end, sizes[k] as number)];
    }),
  );

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
