/** A histogram by sign and binary exponent as bars from the most negative to the most positive. */

import { formatCount } from "../../src/present/number.ts";
import { leftColumn, rightColumn, type Table, textCell } from "../../src/present/table.ts";
import type { Histogram } from "../../src/protocol/report.ts";
import { t } from "../ui/strings.ts";

export interface Bar {
  /** "−2³ … −2⁴", "0", "2⁻⁵ … 2⁻⁴": between these magnitudes. */
  readonly label: string;
  readonly count: number;
  /** −1, 0, 1. */
  readonly sign: number;
  /** Binary exponent of the smaller magnitude; null for zero. */
  readonly exponent: number | null;
}

/** Empty bins outside of the others are left out; zeros always have their bar. */
export function histogramBars({ least, negative, positive, zeros }: Histogram): Bar[] {
  const side = (counts: readonly number[], sign: number): Bar[] =>
    counts.map((count, i) => ({
      label: interval(least + i, sign),
      count,
      sign,
      exponent: least + i,
    }));
  const bars: Bar[] = [
    ...side(negative, -1).reverse(),
    { label: "0", count: zeros, sign: 0, exponent: null },
    ...side(positive, 1),
  ];
  const isKept = ({ count, sign }: Bar) => count > 0 || sign === 0;
  const kept = bars.map(isKept);
  return bars.slice(kept.indexOf(true), kept.lastIndexOf(true) + 1);
}

const interval = (exponent: number, sign: number): string =>
  `${powerText(sign, exponent)} … ${powerText(sign, exponent + 1)}`;

/** "−2³", "0", "2⁻⁵". */
export function powerText(sign: number, exponent: number | null): string {
  if (exponent === null) return "0";
  const raised = [...String(exponent)].map((it) => (it === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(it)]));
  return `${sign < 0 ? "−" : ""}2${raised.join("")}`;
}

export const barTable = (title: string, bars: readonly Bar[]): Table => ({
  title,
  columns: [leftColumn(t("magnitude")), rightColumn(t("elements"))],
  rows: bars.map(({ label, count }) => [
    textCell(label),
    { text: formatCount(count), value: count },
  ]),
});
