/** Where a number lies between the least and the largest of a heat map. */
import { toNumber } from "../../src/present/number.ts";
import type { Num } from "../../src/protocol/report.ts";

export interface HeatScale {
  readonly min: number;
  readonly max: number;
  readonly isLogarithmic: boolean;
  /** 0 at the least, 1 at the largest; null for what has no place on it. */
  share(num: Num | null): number | null;
}

/** Above this ratio of largest to least the steps are those of a logarithm. */
const logarithmicFrom = 20;

/** null where no number is finite. Zeros and negative numbers have no place on a logarithmic scale. */
export function heatScale(nums: readonly (Num | null)[]): HeatScale | null {
  const finite = nums.filter((num) => typeof num === "number");
  const positive = finite.filter((num) => num > 0);
  if (finite.length === 0) return null;
  const isAllPositive = finite.every((num) => num >= 0) && positive.length > 0;
  const isLogarithmic =
    isAllPositive && Math.max(...positive) / Math.min(...positive) > logarithmicFrom;
  const placed = isLogarithmic ? positive : finite;
  const [min, max] = [Math.min(...placed), Math.max(...placed)];
  const scale = isLogarithmic ? Math.log : (value: number) => value;
  const range = scale(max) - scale(min);
  return {
    min,
    max,
    isLogarithmic,
    share: (num) => {
      if (num === null) return null;
      const share = range === 0 ? 0.5 : (scale(toNumber(num)) - scale(min)) / range;
      return Number.isFinite(share) ? share : null;
    },
  };
}
