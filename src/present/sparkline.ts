/** A row of numbers as one line of block characters. */
import type { Num } from "../protocol/report.ts";
import { toNumber } from "./number.ts";

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇"] as const;
const level = "▄";

/** Above this ratio of largest to smallest the heights are logarithmic. */
const logarithmicFrom = 20;
/** Below this relative spread all bars have one height: noise should not look like a trend. */
const flatBelow = 0.1;

/**
 * One bar a number, or `width` bars of neighbours' means where there are more. A gap is `·`, a
 * number that is not finite `!`.
 */
export function sparkline(nums: readonly (Num | null)[], width = 24): string {
  const values = shrink(
    nums.map((num) => (num === null ? null : toNumber(num))),
    width,
  );
  const finite = values.filter((value) => value !== null && Number.isFinite(value)) as number[];
  const height = heights(Math.min(...finite), Math.max(...finite));
  return values
    .map((value) => {
      if (value === null) return "·";
      if (!Number.isFinite(value)) return "!";
      return height(value);
    })
    .join("");
}

function heights(min: number, max: number): (value: number) => string {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  if (max - min <= flatBelow * largest) return () => level;
  const isLog = min > 0 && max / min > logarithmicFrom;
  const scale = isLog ? Math.log : (value: number) => value;
  const bottom = scale(min);
  const range = scale(max) - bottom;
  return (value) => {
    const share = (scale(value) - bottom) / range;
    return bars[Math.round(share * (bars.length - 1))] ?? level;
  };
}

/** At most `width` values, each the mean of equally many neighbours; null where all of them are. */
function shrink(values: readonly (number | null)[], width: number): (number | null)[] {
  if (values.length <= width) return [...values];
  return Array.from({ length: width }, (_, i) => {
    const from = Math.floor((i * values.length) / width);
    const end = Math.floor(((i + 1) * values.length) / width);
    const known = values.slice(from, end).filter((value) => value !== null);
    if (known.length === 0) return null;
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
