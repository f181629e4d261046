/** Images at another size, and channels that become space. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isHalf, numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, transpose } from "../../ops/write.ts";
import {
  bool,
  type float,
  int,
  ints,
  isScalar,
  optional,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { needFloats, noKernel } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { areaMeans } from "./adaptivePool.ts";
import { type Axis, antialiasedShares } from "./antialias.ts";
import { sizeText } from "./matmulErrors.ts";
import { bytesResampledAlong, resampledAlong, type Shares, sharesOf } from "./resampling.ts";
import { batched } from "./spatial.ts";

/** Floats, or one for all axes. */
const floats = {
  describe: "float or tuple of floats",
  accept: (arg: Parameters<typeof float.accept>[0]): readonly number[] | undefined => {
    const items = (Array.isArray(arg) ? arg : [arg]) as (typeof arg)[];
    return items.every(isScalar) ? items.map(({ value }) => value) : undefined;
  },
};

/** How each mode reads positions, in ONNX's words, and the spatial rank that it is for. */
const modes: Readonly<Record<string, { readonly onnx: string; readonly rank: number | null }>> = {
  nearest: { onnx: "nearest", rank: null },
  "nearest-exact": { onnx: "nearest", rank: null },
  area: { onnx: "area", rank: null },
  linear: { onnx: "linear", rank: 1 },
  bilinear: { onnx: "linear", rank: 2 },
  trilinear: { onnx: "linear", rank: 3 },
  bicubic: { onnx: "cubic", rank: 2 },
};

/** What PyTorch says of a mode that does not take an input of so many axes. */
function misfit(mode: string, dims: number): string {
  const wanted = { linear: 3, bilinear: 4, trilinear: 5 }[mode];
  return wanted !== undefined && dims >= 3 && dims <= 5
    ? `Got ${dims}D input, but ${mode} mode needs ${wanted}D input`
    : `Input Error: Only 3D, 4D and 5D input Tensors supported (got ${dims}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got ${mode})`;
}

/** PyTorch's kernels for images of two axes take bytes too, but no other integers. */
function needKernel(mode: string, antialias: boolean, input: Tensor): void {
  const type = typeOf(input);
  if (antialias && isHalf(input.dtype)) throw noKernel("compute_index_ranges_weights", type);
  if (antialias) needFloats("compute_index_ranges_weights", type, ["uint8"]);
  else if (mode === "bicubic") needFloats("compute_indices_weights_cubic", type, ["uint8"]);
  else if (mode === "bilinear") needFloats("upsample_bilinear2d_channels_last", type, ["uint8"]);
  else if (mode.endsWith("linear")) needFloats("compute_indices_weights_linear", type);
  else needFloats("compute_indices_weights_nearest", type, ["uint8"]);
}

export const interpolate = torchCall({
  name: "interpolate",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    size: optional(ints),
    scale_factor: optional(floats),
    mode: withDefault(text, "nearest"),
    align_corners: optional(bool),
    recompute_scale_factor: optional(bool),
    antialias: withDefault(bool, false),
  },
  // Means of areas are those of an adaptive pool, which are plain where there is but one.
  saves: ({ mode, size }) =>
    mode === "area" && !size?.every((count) => count === 1) ? ["input"] : [],
  build: (ctx, args): Typed => {
    const { input, mode, antialias } = args;
    const rank = input.shape.length - 2;
    const known = modes[mode];
    if (args.align_corners !== null && known?.rank === null)
      throw torchError(
        "ValueError",
        "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear",
      );
    const target = targetOf(input.shape.slice(2), args);
    if (antialias && (rank !== 2 || !/^bi/.test(mode)))
      throw torchError(
        "ValueError",
        "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input",
      );
    const fits = known?.rank === null ? rank >= 1 && rank <= 3 : known?.rank === rank;
    if (!known || !fits) throw torchError("NotImplementedError", misfit(mode, rank + 2));
    if (mode !== "area") needKernel(mode, antialias, input);
    const { x, restore } = batched(ctx, input, "interpolate", rank);
    if (antialias) {
      const [rows, columns] = axesOf(x.shape.slice(2), target, args.align_corners === true);
      if (rows === undefined || columns === undefined)
        throw torchError(
          "ValueError",
          "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input",
        );
      const shares = antialiasedShares(mode, [rows, columns]);
      return { typed: restore(resampled(ctx.emit, x, input, shares)), as: input.dtype };
    }
    if (mode === "area")
      return { typed: restore(areaMeans(ctx, x, input, target.sizes)), as: input.dtype };
    if (mode.startsWith("nearest") && !isRepeated(x.shape.slice(2), target))
      return { typed: restore(nearest(ctx, x, mode, target)), as: input.dtype };
    const isBytes = input.dtype === "uint8" && rank === 2;
    if ((isBytes || x.dtype === "float64") && !mode.startsWith("nearest")) {
      const alignCorners = args.align_corners === true;
      const read = mode === "bicubic" ? "cubic" : "linear";
      const axes = axesOf(x.shape.slice(2), target, alignCorners);
      const shares = axes.map((axis) => sharesOf(read, axis, alignCorners));
      return { typed: restore(resampled(ctx.emit, x, input, shares)), as: input.dtype };
    }
    const attrs = readingOf(mode, known.onnx, args.align_corners === true);
    return { typed: restore(resized(ctx, x, target, attrs)), as: input.dtype };
  },
});

const axesOf = (sizes: readonly number[], target: Target, alignCorners: boolean): Axis[] =>
  target.sizes.map((wanted, k) => {
    const size = sizes[k] as number;
    const scale = target.scales?.[k];
    if (alignCorners) return { size, wanted, ratio: wanted > 1 ? (size - 1) / (wanted - 1) : 0 };
    return { size, wanted, ratio: scale === undefined ? size / wanted : 1 / scale };
  });

interface Target {
  readonly sizes: readonly number[];
  /** null: the ratio of sizes. */
  readonly scales: readonly number[] | null;
}

function needSpatial(sizes: readonly number[], given: readonly number[], what: string): void {
  if (given.length === 1 || given.length === sizes.length) return;
  const form =
    what === "output size" ? "output size in (o1, o2, ...,oK)" : "scale_factor in (s1, s2, ...,sK)";
  throw torchError(
    "ValueError",
    `Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of ${sizeText(sizes)} and ${what} of (${given.join(", ")}). Please provide input tensor in (N, C, d1, d2, ...,dK) format and ${form} format.`,
  );
}

function targetOf(
  sizes: readonly number[],
  args: {
    readonly size: readonly number[] | null;
    readonly scale_factor: readonly number[] | null;
    readonly recompute_scale_factor: boolean | null;
  },
): Target {
  const { size, scale_factor, recompute_scale_factor } = args;
  if (size === null && scale_factor === null)
    throw torchError("ValueError", "either size or scale_factor should be defined");
  if (size !== null && scale_factor !== null)
    throw torchError("ValueError", "only one of size or scale_factor should be defined");
  needSpatial(sizes, size ?? scale_factor ?? [], size ? "output size" : "scale_factor");
  const each = (list: readonly number[]) =>
    sizes.map((_, k) => (list.length === 1 ? list[0] : list[k]) as number);
  if (size !== null && recompute_scale_factor)
    throw torchError(
      "ValueError",
      "recompute_scale_factor is not meaningful with an explicit size.",
    );
  if (size !== null) return { sizes: each(size), scales: null };
  const scales = each(scale_factor ?? []);
  const wanted = sizes.map((n, k) => Math.floor(n * (scales[k] as number)));
  return { sizes: wanted, scales: recompute_scale_factor ? null : scales };
}

function readingOf(mode: string, onnx: string, alignCorners: boolean) {
  if (mode === "nearest")
    return {
      mode: onnx,
      coordinate_transformation_mode: "asymmetric",
      nearest_mode: "floor",
    } as const;
  return {
    mode: onnx,
    coordinate_transformation_mode: alignCorners ? "align_corners" : "half_pixel",
    nearest_mode: "round_prefer_ceil",
    cubic_coeff_a: -0.75,
  } as const;
}

/** Whether every element is repeated a whole number of times: then no rounding decides which is nearest. */
const isRepeated = (sizes: readonly number[], { sizes: wanted, scales }: Target): boolean =>
  sizes.every((size, k) => {
    const times = (wanted[k] as number) / size;
    return Number.isInteger(times) && (scales === null || scales[k] === times);
  });

/** The elements that PyTorch finds nearest, by its arithmetic in float32: kernels' own rounds otherwise. */
function nearest(ctx: CallContext, x: Value, mode: string, { sizes, scales }: Target): Value {
  const { emit } = ctx;
  const half = mode === "nearest-exact" ? 0.5 : 0;
  return sizes.reduce((y, wanted, k) => {
    const size = x.shape[k + 2] as number;
    const scale = scales?.[k];
    const step = Math.fround(scale === undefined ? size / wanted : 1 / scale);
    const places = Array.from({ length: wanted }, (_, i) =>
      Math.min(Math.floor(Math.fround((i + half) * step)), size - 1),
    );
    return emit.op("Gather", [y, emit.ints(places)], { axis: k + 2 });
  }, x);
}

/** PyTorch interpolates bytes along rows, then along columns, and rounds to bytes each time. */
function resampled(emit: Emit, x: Value, input: Tensor, shares: readonly Shares[]): Value {
  const along = input.dtype === "uint8" ? bytesResampledAlong : resampledAlong;
  return shares.reduceRight((y, axis, k) => along(emit, y, k + 2, axis), x);
}

/** One axis alone is resized as an image of one row: kernels want two, and single precision. */
function resized(
  ctx: CallContext,
  x: Value,
  { sizes, scales }: Target,
  attrs: ReturnType<typeof readingOf>,
): Value {
  const { emit } = ctx;
  const isLine = sizes.length === 1;
  const [batch = 1, channels = 1] = x.shape;
  const single = castTo(emit, x, "float32");
  const image = isLine
    ? reshapeTo(emit, single, [batch, channels, 1, x.shape[2] as number])
    : single;
  const lead = isLine ? 3 : 2;
  const wanted = [batch, channels, 1].slice(0, lead);
  const factors =
    scales &&
    emit.constant({
      dtype: "float32",
      shape: [lead + scales.length],
      data: Float32Array.of(...wanted.map(() => 1), ...scales),
    });
  const target = scales ? null : emit.ints([...wanted, ...sizes]);
  const y = castTo(emit, emit.op("Resize", [image, null, factors, target], attrs), x.dtype);
  return isLine ? reshapeTo(emit, y, [batch, channels, sizes[0] as number]) : y;
}

/** [..., C·r², H, W] → [..., C, H·r, W·r] */
export const pixelShuffle = torchCall({
  name: "pixel_shuffle",
  in: ["torch", "torch.nn.functional"],
  params: { input: tensor, upscale_factor: int },
  moves: true,
  build: (ctx, { input, upscale_factor: r }): Typed => {
    const { outer, image } = imagesOf(input, "pixel_shuffle");
    const [channels, height, width] = image;
    if (channels % (r * r) !== 0)
      throw torchError(
        "RuntimeError",
        `pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=${channels} is not divisible by ${r * r}`,
      );
    const kept = channels / (r * r);
    const apart = [numel(outer), kept, r, r, height, width];
    const shape = [...outer, kept, height * r, width * r];
    return rearranged(ctx, input, apart, [0, 1, 4, 2, 5, 3], shape);
  },
});

/** [..., C, H·r, W·r] → [..., C·r², H, W] */
export const pixelUnshuffle = torchCall({
  name: "pixel_unshuffle",
  in: ["torch", "torch.nn.functional"],
  params: { input: tensor, downscale_factor: int },
  moves: true,
  build: (ctx, { input, downscale_factor: r }): Typed => {
    const { outer, image } = imagesOf(input, "pixel_unshuffle");
    const [channels, height, width] = image;
    for (const [name, size] of [["height", height] as const, ["width", width] as const])
      if (size % r !== 0)
        throw torchError(
          "RuntimeError",
          `pixel_unshuffle expects ${name} to be divisible by downscale_factor, but input.size(${name === "height" ? -2 : -1})=${size} is not divisible by ${r}`,
        );
    const apart = [numel(outer), channels, height / r, r, width / r, r];
    const shape = [...outer, channels * r * r, height / r, width / r];
    return rearranged(ctx, input, apart, [0, 1, 3, 5, 2, 4], shape);
  },
});

/** Channels of several groups taken in turn. */
export const channelShuffle = torchCall({
  name: "channel_shuffle",
  in: ["torch", "torch.nn.functional"],
  params: { input: tensor, groups: int },
  moves: true,
  build: (ctx, { input, groups }): Typed => {
    const [batch = 1, channels = 1, ...rest] = input.shape;
    if (channels % groups !== 0)
      throw torchError(
        "RuntimeError",
        `Number of channels must be divisible by groups. Got ${channels} channels and ${groups} groups.`,
      );
    const apart = [batch, groups, channels / groups, numel(rest)];
    return rearranged(ctx, input, apart, [0, 2, 1, 3], input.shape);
  },
});

function imagesOf(input: Tensor, name: string) {
  if (input.shape.length < 3)
    throw torchError(
      "RuntimeError",
      `${name} expects input to have at least 3 dimensions, but got input with ${input.shape.length} dimension(s)`,
    );
  return {
    outer: input.shape.slice(0, -3),
    image: input.shape.slice(-3) as unknown as readonly [number, number, number],
  };
}

function rearranged(
  ctx: CallContext,
  input: Tensor,
  apart: readonly number[],
  perm: readonly number[],
  shape: readonly number[],
): Typed {
  const { emit } = ctx;
  const moved = transpose(emit, reshapeTo(emit, ctx.store.read(input), apart), perm);
  return { typed: reshapeTo(emit, moved, shape), as: input.dtype };
}
