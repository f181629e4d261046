/**
 * Layouts of Fourier transforms: the axes that are not transformed come first, from the largest
 * stride to the smallest, then the transformed ones, and so they are written.
 */
import type { Laid } from "../tensor.ts";
import type { LaidCall, Rule } from "./rules.ts";
import { preservedStrides, suggestedStrides } from "./strides.ts";

/** Of one transform along `axes`, the last of them the innermost. */
function written(shape: readonly number[], input: Laid, axes: readonly number[]): Laid {
  const byStride = (a: number, b: number) =>
    (input.strides[b] as number) - (input.strides[a] as number);
  const others = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const strides = new Array<number>(shape.length).fill(1);
  let step = 1;
  for (const axis of [...others.toSorted(byStride), ...axes].toReversed()) {
    strides[axis] = step;
    step *= Math.max(shape[axis] as number, 1);
  }
  return { shape, strides };
}

/** The input with as many points as are transformed: cut where there are more, padded where fewer. */
function resized(input: Laid, axes: readonly number[], sizes: readonly (number | null)[]): Laid {
  const shape = [...input.shape];
  let grows = false;
  axes.forEach((axis, at) => {
    const size = sizes[at] ?? (shape[axis] as number);
    if (size === -1) return;
    grows ||= size > (shape[axis] as number);
    shape[axis] = size;
  });
  return { shape, strides: grows ? suggestedStrides(shape, input) : input.strides };
}

/** The axes of a call, and how many points of each it was asked for. */
function axesOf({ args, shape }: LaidCall): { axes: number[]; sizes: (number | null)[] } {
  const { dim, n, s } = args as { dim: number | number[] | null; n?: number; s?: number[] | null };
  const rank = shape.length;
  const count = s?.length ?? rank;
  const all = Array.from({ length: count }, (_, k) => rank - count + k);
  const given = typeof dim === "number" ? [dim] : (dim ?? all);
  const axes = given.map((axis) => (axis + rank) % rank);
  return {
    axes,
    sizes: axes.map((_, at) => (typeof dim === "number" ? (n ?? null) : (s?.[at] ?? null))),
  };
}

export function transformed(name: string): Rule {
  const isToReal = /^(irfft|hfft)/.test(name);
  const isFromReal = /^(rfft|ihfft)/.test(name);
  return (call) => {
    const [first] = call.operands;
    const { axes, sizes } = axesOf(call);
    const last = axes.at(-1);
    if (first === undefined || last === undefined) return null;
    const bins = isToReal
      ? sizes.with(-1, Math.floor((call.shape[last] as number) / 2) + 1)
      : sizes;
    // Real numbers are made complex before anything else, except for a transform of them alone.
    const isHeld = first.isComplex || isFromReal || name === "fft" || name === "ifft";
    const given = isHeld ? first : { shape: first.shape, strides: preservedStrides(first) };
    const input = resized(given, axes, bins);
    const byStride = (a: number, b: number) =>
      (input.strides[b] as number) - (input.strides[a] as number);
    if (isFromReal)
      return written(call.shape, input, [...axes.slice(0, -1).sort(byStride), last]).strides;
    if (!isToReal) return written(call.shape, input, axes.toSorted(byStride)).strides;
    const before = axes.slice(0, -1);
    const half =
      before.length === 0 ? input : written(input.shape, input, before.toSorted(byStride));
    return written(call.shape, half, [last]).strides;
  };
}
