/** What plots are drawn by, wherever: scales, ticks, thinning. */

import type { Axis, Plot, PlotLine, Point } from "../protocol/plot.ts";

export type { Axis, Plot, PlotLine, Point } from "../protocol/plot.ts";

export interface Scale {
  readonly from: number;
  readonly to: number;
  /** 0 at `from`, 1 at `to`. */
  position(value: number): number;
  readonly ticks: readonly number[];
}

/** Points that can be drawn: finite, and positive on a logarithmic axis. */
export const drawable = ({ x, y }: Plot, { points }: PlotLine): Point[] =>
  points.filter(
    ([a, b]) =>
      Number.isFinite(a) && Number.isFinite(b) && (!x.isLog || a > 0) && (!y.isLog || b > 0),
  );

/** null: there is nothing to draw. */
export function scaleOf(values: readonly number[], { isLog }: Axis): Scale | null {
  if (values.length === 0) return null;
  const to = isLog ? Math.log : (value: number) => value;
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const isPoint = to(most) - to(least) < 1e-9 * Math.max(1, Math.abs(to(most)));
  const pad = isPoint ? Math.max(Math.abs(to(most)) * 0.1, 0.1) : 0;
  const [low, high] = [to(least) - pad, to(most) + pad];
  const back = isLog ? Math.exp : (value: number) => value;
  return {
    from: back(low),
    to: back(high),
    position: (value) => (to(value) - low) / (high - low),
    ticks: isLog ? logTicks(back(low), back(high)) : linearTicks(low, high),
  };
}

/** Up to six round numbers. */
function linearTicks(from: number, to: number): number[] {
  const rough = (to - from) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}

/** Powers of ten, with 2 and 5 between them where these are few. */
function logTicks(from: number, to: number): number[] {
  const decades = Math.log10(to / from);
  const factors = decades > 3 ? [1] : decades > 1 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  const every = Math.max(1, Math.ceil(decades / 6));
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += every)
    ticks.push(...factors.map((factor) => Number((factor * 10 ** power).toPrecision(6))));
  return ticks.filter((tick) => tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9));
}

/** At most `count` points, evenly taken, the last always among them. */
export function thinned<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, at) => {
    return all[Math.round((at * (all.length - 1)) / (count - 1))] as T;
  });
}
