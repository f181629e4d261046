/** torch.fft: transforms along one axis or several, their frequencies and shifts. */

import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isHalf } from "../../graph/tensor.ts";
import { transpose } from "../../ops/write.ts";
import {
  dtype,
  float,
  int,
  ints,
  keyword,
  optional,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Namespace, type Typed, torchCall } from "../call.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { conjugate } from "./complexNumbers.ts";
import { generated } from "./create.ts";
import { type Direction, ofPairs, ofReal, toReal } from "./fourier.ts";
import { rolled } from "./turn.ts";

const place: readonly Namespace[] = ["torch.fft"];
const one = {
  input: tensor,
  n: optional(int),
  dim: withDefault(int, -1),
  norm: optional(text),
};
const several = (dim: readonly number[] | null) => ({
  input: tensor,
  s: optional(ints),
  dim: withDefault(optional(ints), dim),
  norm: optional(text),
});

/** The factor of each result: the inverse divides unless `norm` says otherwise. */
function scaleOf(norm: string | null, n: number, direction: Direction): number {
  const mode = norm ?? "backward";
  if (mode === "ortho") return 1 / Math.sqrt(n);
  if (mode === "forward") return direction === -1 ? 1 / n : 1;
  if (mode === "backward") return direction === -1 ? 1 : 1 / n;
  throw torchError("RuntimeError", `Invalid normalization mode: "${mode}"`);
}

function argumentOf(ctx: CallContext, input: Tensor): { x: Value; type: TorchType } {
  if (isHalf(input.dtype))
    throw torchError("NotImplementedError", `Unsupported dtype ${cppName(typeOf(input))}`);
  const type = ctx.promoteToFloat(input);
  return { x: ctx.as(input, type), type };
}

const pairsOf = (type: TorchType): TorchType =>
  isComplexType(type) ? type : type === "float64" ? "complex128" : "complex64";

const realOf = (type: TorchType): TorchType =>
  type === "complex128" ? "float64" : type === "complex64" ? "float32" : type;

/** f on the axis put last; `pairs` says whether the value and the result have a pair axis. */
function along(
  ctx: CallContext,
  x: Value,
  axis: number,
  pairs: { readonly given: boolean; readonly made: boolean },
  f: (x: Value) => Value,
): Value {
  const rank = x.shape.length - (pairs.given ? 1 : 0);
  const others = Array.from({ length: rank }, (_, a) => a).filter((a) => a !== axis);
  const toLast = [...others, axis];
  const back = toLast.map((_, a) => toLast.indexOf(a));
  const tail = (has: boolean) => (has ? [rank] : []);
  const result = f(transpose(ctx.emit, x, [...toLast, ...tail(pairs.given)]));
  return transpose(ctx.emit, result, [...back, ...tail(pairs.made)]);
}

function lengthOf(n: number | null, size: number): number {
  const length = n ?? size;
  if (length < 1)
    throw torchError("RuntimeError", `Invalid number of data points (${length}) specified`);
  return length;
}

function axisOf(dim: number, input: Tensor): number {
  if (input.shape.length === 0)
    throw torchError("IndexError", `Dimension specified as ${dim} but tensor has no dimensions`);
  return wrapDim(dim, input.shape.length);
}

/** The whole spectrum along an axis; `isReal` values have no pair axis. */
function spectrum(
  ctx: CallContext,
  x: Value,
  isReal: boolean,
  axis: number,
  transform: Parameters<typeof ofPairs>[2],
): Value {
  const { emit } = ctx;
  return along(ctx, x, axis, { given: !isReal, made: true }, (lines) =>
    isReal ? ofReal(emit, lines, transform, transform.n) : ofPairs(emit, lines, transform),
  );
}

/** Of real numbers PyTorch turns a spectrum the other way by leaving its conjugate to be computed. */
function complexTransform(name: string, direction: Direction) {
  return torchCall({
    name,
    in: place,
    params: one,
    saves: ({ input }) => (input.isComplex ? [] : ["input"]),
    build: (ctx, { input, n: asked, dim, norm }) => {
      const { x, type } = argumentOf(ctx, input);
      const axis = axisOf(dim, input);
      const n = lengthOf(asked, input.shape[axis] as number);
      const transform = { n, direction, scale: scaleOf(norm, n, direction) };
      const isReal = !isComplexType(type);
      const typed = spectrum(ctx, x, isReal, axis, transform);
      return { typed, as: pairsOf(type), conjugated: isReal && direction === 1 };
    },
  });
}
export const fft = complexTransform("fft", -1);
export const ifft = complexTransform("ifft", 1);

function needReal(name: string, input: Tensor): void {
  if (input.isComplex)
    throw torchError(
      "TypeError",
      `${name} expects a real input tensor, but got ${cppName(typeOf(input))}`,
    );
}

/** The first n/2 + 1 bins; `isInverse`: their conjugates, scaled as an inverse transform. */
function halfSpectrum(name: string, isInverse: boolean) {
  return torchCall({
    name,
    in: place,
    params: one,
    saves: ["input"],
    build: (ctx, { input, n: asked, dim, norm }) => {
      needReal(name, input);
      const { emit } = ctx;
      const { x, type } = argumentOf(ctx, input);
      const axis = axisOf(dim, input);
      const n = lengthOf(asked, input.shape[axis] as number);
      const scale = scaleOf(norm, n, isInverse ? 1 : -1);
      const transform = { n, direction: isInverse ? 1 : -1, scale } as const;
      const bins = Math.floor(n / 2) + 1;
      const value = along(ctx, x, axis, { given: false, made: true }, (lines) =>
        ofReal(emit, lines, transform, bins),
      );
      return { typed: value, as: pairsOf(type), conjugated: isInverse };
    },
  });
}
export const rfft = halfSpectrum("rfft", false);
export const ihfft = halfSpectrum("ihfft", true);

/** Real numbers whose spectrum's first half is given; `isForward`: of its conjugate, scaled forward. */
function fromHalfSpectrum(name: string, isForward: boolean) {
  return torchCall({
    name,
    in: place,
    params: one,
    build: (ctx, { input, n: asked, dim, norm }) => {
      const { emit } = ctx;
      const given = argumentOf(ctx, input);
      const type = pairsOf(given.type);
      const axis = axisOf(dim, input);
      const n = lengthOf(asked, 2 * ((input.shape[axis] as number) - 1));
      const z = ctx.as(input, type);
      const scale = scaleOf(norm, n, isForward ? -1 : 1);
      const value = along(ctx, z, axis, { given: true, made: false }, (lines) =>
        toReal(emit, isForward ? conjugate(emit, lines) : lines, { n, direction: 1, scale }),
      );
      return { typed: value, as: realOf(type) };
    },
  });
}
export const irfft = fromHalfSpectrum("irfft", false);
export const hfft = fromHalfSpectrum("hfft", true);

/** The axes and how many points each has; a size of −1 or none: all that there are. */
function pointsOf(
  input: Tensor,
  s: readonly number[] | null,
  dim: readonly number[] | null,
  lastIsHalf: boolean,
): { axis: number; n: number }[] {
  const rank = input.shape.length;
  if (s !== null && dim !== null && s.length !== dim.length)
    throw torchError(
      "RuntimeError",
      "When given, dim and shape arguments must have the same length",
    );
  const count = s?.length ?? rank;
  const named = dim ?? Array.from({ length: count }, (_, k) => rank - count + k);
  const axes = named.map((axis) => wrapDim(axis, rank));
  if (new Set(axes).size !== axes.length)
    throw torchError("RuntimeError", "FFT dims must be unique");
  return axes.map((axis, at) => {
    const size = input.shape[axis] as number;
    const asked = s === null || s[at] === -1 ? null : (s[at] as number);
    const all = lastIsHalf && at === axes.length - 1 ? 2 * (size - 1) : size;
    return { axis, n: lengthOf(asked, all) };
  });
}

function overSeveral(name: string, direction: Direction, dims: readonly number[] | null) {
  return torchCall({
    name,
    in: place,
    params: several(dims),
    build: (ctx, { input, s, dim, norm }): Typed => {
      const { x, type } = argumentOf(ctx, input);
      let value = x;
      let isReal = !isComplexType(type);
      // The real transform first, along the last axis: half of its work is saved.
      for (const { axis, n } of pointsOf(input, s, dim, false).reverse()) {
        const transform = { n, direction, scale: scaleOf(norm, n, direction) };
        value = spectrum(ctx, value, isReal, axis, transform);
        isReal = false;
      }
      return { typed: isReal ? ctx.as(input, pairsOf(type)) : value, as: pairsOf(type) };
    },
  });
}
export const fft2 = overSeveral("fft2", -1, [-2, -1]);
export const ifft2 = overSeveral("ifft2", 1, [-2, -1]);
export const fftn = overSeveral("fftn", -1, null);
export const ifftn = overSeveral("ifftn", 1, null);

function realOverSeveral(name: string, dims: readonly number[] | null) {
  return torchCall({
    name,
    in: place,
    params: several(dims),
    saves: ["input"],
    build: (ctx, { input, s, dim, norm }): Typed => {
      needReal(name, input);
      const { x, type } = argumentOf(ctx, input);
      const points = pointsOf(input, s, dim, false);
      const last = points.pop();
      if (!last) throw torchError("RuntimeError", `${name} must transform at least one axis`);
      const transform = { n: last.n, direction: -1, scale: scaleOf(norm, last.n, -1) } as const;
      const half = along(ctx, x, last.axis, { given: false, made: true }, (lines) =>
        ofReal(ctx.emit, lines, transform, Math.floor(last.n / 2) + 1),
      );
      const value = points.reduce((z, { axis, n }) => {
        const scale = scaleOf(norm, n, -1);
        return spectrum(ctx, z, false, axis, { n, direction: -1, scale });
      }, half);
      return { typed: value, as: pairsOf(type) };
    },
  });
}
export const rfft2 = realOverSeveral("rfft2", [-2, -1]);
export const rfftn = realOverSeveral("rfftn", null);

function toRealOverSeveral(name: string, dims: readonly number[] | null) {
  return torchCall({
    name,
    in: place,
    params: several(dims),
    build: (ctx, { input, s, dim, norm }): Typed => {
      const type = pairsOf(argumentOf(ctx, input).type);
      const points = pointsOf(input, s, dim, true);
      const last = points.pop();
      if (!last) throw torchError("RuntimeError", `${name} must transform at least one axis`);
      const whole = points.reduce(
        (z, { axis, n }) => {
          const scale = scaleOf(norm, n, 1);
          return spectrum(ctx, z, false, axis, { n, direction: 1, scale });
        },
        ctx.as(input, type),
      );
      const transform = { n: last.n, direction: 1, scale: scaleOf(norm, last.n, 1) } as const;
      const value = along(ctx, whole, last.axis, { given: true, made: false }, (lines) =>
        toReal(ctx.emit, lines, transform),
      );
      return { typed: value, as: realOf(type) };
    },
  });
}
export const irfft2 = toRealOverSeveral("irfft2", [-2, -1]);
export const irfftn = toRealOverSeveral("irfftn", null);

/** k / (n d): the frequencies of the bins, the upper half as negative ones. */
function frequencies(name: string, isHalf: boolean) {
  return torchCall({
    name,
    in: place,
    params: { n: int, d: withDefault(float, 1), dtype: keyword(optional(dtype)) },
    build: (ctx, { n, d, dtype: asked }) => {
      const type = asked ?? { dtype: ctx.defaultFloat, isComplex: false };
      const count = isHalf ? Math.floor(n / 2) + 1 : n;
      const bin = (k: number) => (isHalf || 2 * k < n ? k : k - n);
      return generated(ctx, type, count, (k) => bin(k) / (n * d));
    },
  });
}
export const fftfreq = frequencies("fftfreq", false);
export const rfftfreq = frequencies("rfftfreq", true);

/** Rolls by half of each axis: frequency 0 to the middle, or back. */
function shifted(name: string, by: (size: number) => number) {
  return torchCall({
    name,
    in: place,
    params: { input: tensor, dim: optional(ints) },
    moves: true,
    build: (ctx, { input, dim }): Typed => {
      const axes = dim?.map((axis) => axisOf(axis, input)) ?? input.shape.map((_, axis) => axis);
      const value = axes.reduce(
        (x, axis) => rolled(ctx.emit, x, axis, by(input.shape[axis] as number)),
        ctx.store.read(input),
      );
      return { typed: value, as: typeOf(input) };
    },
  });
}
export const fftshift = shifted("fftshift", (size) => Math.floor(size / 2));
export const ifftshift = shifted("ifftshift", (size) => Math.ceil(size / 2));
