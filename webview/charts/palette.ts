/** Colours of a heat map: cividis, which reads the same to those who do not see red and green. */

/** At equal steps from the least to the largest. */
const cividis = [
  [0, 32, 77],
  [0, 50, 110],
  [59, 73, 108],
  [87, 93, 109],
  [112, 113, 115],
  [138, 134, 120],
  [166, 157, 117],
  [197, 181, 106],
  [229, 206, 85],
  [255, 234, 70],
] as const;

/** `share` from 0 to 1. */
export function paletteColour(share: number): string {
  const at = Math.min(Math.max(share, 0), 1) * (cividis.length - 1);
  const below = Math.min(Math.floor(at), cividis.length - 2);
  const [from, to] = [cividis[below] ?? cividis[0], cividis[below + 1] ?? cividis[0]];
  const channel = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * (at - below));
  return `rgb(${channel(0)} ${channel(1)} ${channel(2)})`;
}
