/** Images interpolated by products with a matrix for each axis: double precision, and bytes. */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate } from "../../graph/tensor.ts";
import { transpose } from "../../ops/write.ts";
import type { Axis } from "./antialias.ts";

/** The share of each place of an axis in each of the result: [size, wanted], row by row. */
export type Shares = Float64Array;

/** Keys' kernel with a = −3/4, of the taps at −1, 0, 1 and 2 from the place before. */
function cubicShares(t: number): number[] {
  const a = -0.75;
  const near = (x: number) => ((a + 2) * x - (a + 3)) * x * x + 1;
  const far = (x: number) => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return [far(t + 1), near(t), near(1 - t), far(2 - t)];
}

/** PyTorch's linear and cubic interpolation: taps beyond an end count as the end. */
export function sharesOf(
  mode: "linear" | "cubic",
  { size, wanted, ratio }: Axis,
  alignCorners: boolean,
): Shares {
  const shares = new Float64Array(size * wanted);
  for (let i = 0; i < wanted; i++) {
    const middle = alignCorners ? ratio * i : ratio * (i + 0.5) - 0.5;
    const at = mode === "linear" ? Math.max(middle, 0) : middle;
    const place = Math.min(Math.floor(at), size - 1);
    const t = Math.min(Math.max(at - place, 0), 1);
    const [first, taps] = mode === "linear" ? [0, [1 - t, t]] : [-1, cubicShares(t)];
    taps.forEach((share, k) => {
      const held = Math.min(Math.max(place + first + k, 0), size - 1);
      shares[held * wanted + i] = (shares[held * wanted + i] as number) + share;
    });
  }
  return shares;
}

/** `x` with one of its axes resampled. */
export function resampledAlong(emit: Emit, x: Value, axis: number, shares: Shares): Value {
  const size = x.shape[axis] as number;
  const data = allocate(x.dtype, shares.length);
  data.set(shares);
  const matrix = emit.constant({ dtype: x.dtype, shape: [size, shares.length / size], data });
  const last = x.shape.length - 1;
  const turned = x.shape.map((_, k) => (k === axis ? last : k === last ? axis : k));
  return transpose(emit, emit.op("MatMul", [transpose(emit, x, turned), matrix]), turned);
}

/**
 * Bytes as float32, resampled and rounded to bytes: the shares are whole numbers of 2⁻ᵇ, with as many
 * bits as leave the largest below 2¹⁵, and sums of their products are exact.
 */
export function bytesResampledAlong(emit: Emit, x: Value, axis: number, shares: Shares): Value {
  const largest = shares.reduce((most, share) => Math.max(most, share), 0);
  let bits = 0;
  while (bits < 22 && Math.floor(0.5 + largest * 2 ** (bits + 1)) < 2 ** 15) bits++;
  const unit = 2 ** bits;
  const whole = shares.map((share) => Math.trunc(share * unit + (share < 0 ? -0.5 : 0.5)));
  const number = (value: number) => emit.scalar(value, x.dtype);
  const sum = emit.op("Add", [resampledAlong(emit, x, axis, whole), number(unit / 2)]);
  const rounded = emit.op("Floor", [emit.op("Mul", [sum, number(1 / unit)])]);
  return emit.op("Clip", [rounded, number(0), number(255)]);
}
