/** What each output element of Resize is made of, along one axis. */
import { allocate, type HostArray, numel } from "../../graph/tensor.ts";
import { roundTo } from "./round.ts";

export type ResizeMode = {
  readonly mode: string;
  readonly coordinate_transformation_mode: string;
  readonly nearest_mode: string;
  readonly cubic_coeff_a: number;
  readonly exclude_outside: number;
};

type Tap = readonly [place: number, weight: number];

/** The input's elements, with weights, that each output element is made of. */
export function mixingTaps(
  from: number,
  to: number,
  scale: number,
  attrs: ResizeMode,
): readonly (readonly Tap[])[] {
  return Array.from({ length: to }, (_, row) => {
    const at = position(row, from, to, scale, attrs.coordinate_transformation_mode);
    return weightsAt(at, from, attrs).map(([place, weight]): Tap => {
      return [Math.min(Math.max(place, 0), from - 1), weight];
    });
  });
}

/** Row-major [to, from]: output = matrix · input. */
export function mixingMatrix(
  from: number,
  to: number,
  scale: number,
  attrs: ResizeMode,
): Float64Array {
  const matrix = new Float64Array(to * from);
  mixingTaps(from, to, scale, attrs).forEach((taps, row) => {
    for (const [column, weight] of taps)
      matrix[row * from + column] = (matrix[row * from + column] as number) + weight;
  });
  return matrix;
}

/** What is made along one axis; an infinity is lost where its weight is 0, and stays out of what it is no tap of. */
export function mixAxis(X: HostArray, axis: number, rows: readonly (readonly Tap[])[]): HostArray {
  const to = rows.length;
  const from = X.shape[axis] as number;
  const inner = numel(X.shape.slice(axis + 1));
  const outer = numel(X.shape.slice(0, axis));
  const data = allocate(X.dtype, outer * to * inner);
  for (let o = 0; o < outer; o++)
    rows.forEach((taps, row) => {
      for (let i = 0; i < inner; i++)
        data[(o * to + row) * inner + i] = taps.reduce(
          (sum, [place, weight]) =>
            sum + weight * (X.data[(o * from + place) * inner + i] as number),
          0,
        );
    });
  roundTo(X.dtype, data);
  return { dtype: X.dtype, shape: X.shape.with(axis, to), data };
}

/** Where an output element lies on the input's axis. */
function position(row: number, from: number, to: number, scale: number, mode: string): number {
  if (mode === "asymmetric") return row / scale;
  if (mode === "align_corners") return to === 1 ? 0 : (row * (from - 1)) / (to - 1);
  if (mode === "pytorch_half_pixel" && to === 1) return 0;
  return (row + 0.5) / scale - 0.5;
}

function weightsAt(at: number, from: number, attrs: ResizeMode): [number, number][] {
  if (attrs.mode === "nearest") return [[nearest(at, attrs.nearest_mode), 1]];
  if (attrs.mode === "linear") return linear(Math.min(Math.max(at, 0), from - 1));
  const taps = cubic(at, attrs.cubic_coeff_a);
  if (!attrs.exclude_outside) return taps;
  const inside = taps.filter(([place]) => place >= 0 && place < from);
  const total = inside.reduce((sum, [, weight]) => sum + weight, 0);
  return inside.map(([place, weight]) => [place, weight / total]);
}

function nearest(at: number, mode: string): number {
  if (mode === "floor") return Math.floor(at);
  if (mode === "ceil") return Math.ceil(at);
  return mode === "round_prefer_ceil" ? Math.floor(at + 0.5) : Math.ceil(at - 0.5);
}

function linear(at: number): [number, number][] {
  const below = Math.floor(at);
  return [
    [below, 1 - (at - below)],
    [below + 1, at - below],
  ];
}

/** Keys' convolution kernel. https://doi.org/10.1109/TASSP.1981.1163711 */
function cubic(at: number, a: number): [number, number][] {
  const below = Math.floor(at);
  return [-1, 0, 1, 2].map((offset) => {
    const t = Math.abs(at - below - offset);
    const near = (a + 2) * t ** 3 - (a + 3) * t ** 2 + 1;
    const far = a * t ** 3 - 5 * a * t ** 2 + 8 * a * t - 4 * a;
    return [below + offset, t <= 1 ? near : far];
  });
}
