/** The axis of a chart's numbers: logarithmic, where the chart does not say otherwise. */
import { logScale } from "../../src/present/html/logScale.ts";
import { toNumber } from "../../src/present/number.ts";
import { scaleOf } from "../../src/present/plot.ts";
import type { Num } from "../../src/protocol/report.ts";
import type { LineChart } from "../model/lineChart.ts";

export interface AxisScale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  /** 0 at `from`, 1 at `to`. */
  position(value: number): number;
}

/** null where there is nothing to draw. */
export function axisScale({ lines, isLinear = false }: LineChart): AxisScale | null {
  const numbers = lines.flatMap(({ values }) => values.filter((num) => num !== null).map(toNumber));
  if (isLinear) {
    const finite = numbers.filter((value) => Number.isFinite(value));
    return scaleOf(finite, { label: "", isLog: false });
  }
  const scale = logScale(numbers);
  const [from, to] = [scale?.ticks[0], scale?.ticks.at(-1)];
  if (scale === null || from === undefined || to === undefined) return null;
  return { ...scale, from, to };
}

/** A number that has a place on the axis; null for one that has none. */
export const placed = (num: Num | null, { isLinear = false }: LineChart): number | null =>
  typeof num === "number" && (isLinear || num > 0) ? num : null;
