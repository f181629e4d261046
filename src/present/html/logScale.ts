/** A logarithmic axis: which ticks it has, and where a number lies on it. */

export interface LogScale {
  /** 1-2-5 steps of each decade, or decades, or every n-th decade: at least two, rising. */
  readonly ticks: readonly number[];
  /** From 0 at the first tick to 1 at the last. */
  position(value: number): number;
}

/** null where no number is positive. */
export function logScale(values: readonly number[], maxTicks = 6): LogScale | null {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return null;
  const ticks = chooseTicks(Math.min(...positive), Math.max(...positive), maxTicks);
  const first = Math.log10(ticks[0] ?? 1);
  const range = Math.log10(ticks.at(-1) ?? 10) - first;
  return { ticks, position: (value) => (Math.log10(value) - first) / range };
}

function chooseTicks(min: number, max: number, maxTicks: number): number[] {
  const first = stepBelow(min);
  const last = Math.max(stepAbove(max), first + 1);
  if (last - first < maxTicks) return range(first, last, 1).map(tickOf);
  const bottom = Math.floor(first / 3);
  const top = Math.ceil(last / 3);
  const stride = Math.ceil((top - bottom) / (maxTicks - 1));
  return range(bottom, top + stride - 1, stride).map((decade) => tickOf(3 * decade));
}

/** 1, 2, 5, 10, 20, … for step 0, 1, 2, 3, 4, … */
const tickOf = (step: number): number => {
  const decade = Math.floor(step / 3);
  return Number(`${[1, 2, 5][step - 3 * decade]}e${decade}`);
};

/** Ticks are compared with what arithmetic makes of the same number. */
const slack = 1e-9;

function stepBelow(value: number): number {
  let step = 3 * Math.ceil(Math.log10(value)) + 1;
  while (tickOf(step) > value * (1 + slack)) step--;
  return step;
}

function stepAbove(value: number): number {
  let step = 3 * Math.floor(Math.log10(value)) - 1;
  while (tickOf(step) < value * (1 - slack)) step++;
  return step;
}

function range(first: number, last: number, stride: number): number[] {
  return Array.from(
    { length: Math.floor((last - first) / stride) + 1 },
    (_, i) => first + i * stride,
  );
}
