/** Images made smaller without aliasing: each place is a weighted mean of those that it covers. */
import { torchError } from "../../errors.ts";
import type { Shares } from "./resampling.ts";

/** Filters of PyTorch and Pillow, by the distance from the centre in pixels of the coarser image. */
const filters: Readonly<Record<string, { readonly reach: number; readonly at: Filter }>> = {
  bilinear: { reach: 1, at: (x) => Math.max(1 - Math.abs(x), 0) },
  bicubic: { reach: 2, at: cubic },
};

type Filter = (x: number) => number;

/** Keys' kernel with a = −1/2. */
function cubic(signed: number): number {
  const x = Math.abs(signed);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

export interface Axis {
  readonly size: number;
  readonly wanted: number;
  /** Of the input's pixels to one of the output's. */
  readonly ratio: number;
}

/** What each place of the rows and the columns counts in each of the result. */
export function antialiasedShares(
  mode: string,
  [rows, columns]: readonly [Axis, Axis],
): readonly [Shares, Shares] {
  const filter = filters[mode];
  if (filter === undefined)
    throw torchError(
      "ValueError",
      "Anti-alias option is only supported for bilinear and bicubic modes",
    );
  return [weights(filter, rows), weights(filter, columns)];
}

function weights(
  { reach, at }: { readonly reach: number; readonly at: Filter },
  { size, wanted, ratio }: Axis,
): Shares {
  const data = new Float64Array(size * wanted);
  const stretch = Math.max(ratio, 1);
  const support = reach * stretch;
  for (let i = 0; i < wanted; i++) {
    const center = ratio * (i + 0.5);
    const first = Math.max(Math.trunc(center - support + 0.5), 0);
    const end = Math.min(Math.trunc(center + support + 0.5), size);
    const shares = Array.from({ length: end - first }, (_, k) =>
      at((first + k - center + 0.5) / stretch),
    );
    const total = shares.reduce((sum, share) => sum + share, 0);
    shares.forEach((share, k) => {
      data[(first + k) * wanted + i] = share / total;
    });
  }
  return data;
}
