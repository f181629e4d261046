/** All statistics of a value and of its gradient, and what narrower formats would lose of it. */
import { formatCount, formatNumber } from "../../src/present/number.ts";
import {
  type Cell,
  leftColumn,
  numberCell,
  rightColumn,
  type Table,
  textCell,
} from "../../src/present/table.ts";
import type { Detail, NarrowFormat, Stats } from "../../src/protocol/report.ts";
import { t } from "../ui/strings.ts";

const rowsOfStats = (): readonly (readonly [string, (stats: Stats) => Cell])[] => [
  ["RMS", ({ rms }) => numberCell(rms)],
  [t("mean"), ({ mean }) => numberCell(mean)],
  [t("standard deviation"), ({ std }) => numberCell(std)],
  [t("minimum"), ({ min }) => numberCell(min)],
  [t("maximum"), ({ max }) => numberCell(max)],
  [t("largest magnitude"), ({ absMax }) => numberCell(absMax)],
  [t("L2 norm"), ({ l2 }) => numberCell(l2)],
  [t("zeros"), ({ zeroFraction }) => shareCell(zeroFraction)],
  ["NaN", ({ nan }) => countCell(nan)],
  ["+inf", ({ posInf }) => countCell(posInf)],
  ["−inf", ({ negInf }) => countCell(negInf)],
  [t("elements"), ({ count }) => ({ text: formatCount(count), value: count })],
];

export const statsTable = (title: string, forward: Stats, gradient: Stats | null): Table => ({
  title,
  columns: [leftColumn(""), rightColumn(t("forward")), rightColumn(t("gradient"))],
  rows: rowsOfStats().map(([label, cellOf]) => [
    textCell(label),
    cellOf(forward),
    gradient === null ? numberCell(null) : cellOf(gradient),
  ]),
});

export const formatLabels: Readonly<Record<NarrowFormat, string>> = {
  float16: "float16",
  bfloat16: "bfloat16",
  float8_e4m3fn: "float8 E4M3",
  float8_e5m2: "float8 E5M2",
};

export const lossTable = (title: string, { losses }: Detail): Table => ({
  title,
  columns: [leftColumn(t("format")), rightColumn(t("flushed to 0")), rightColumn(t("overflowed"))],
  rows: (Object.keys(formatLabels) as NarrowFormat[]).map((format) => [
    textCell(formatLabels[format]),
    shareCell(losses[format].flushed),
    shareCell(losses[format].overflowed, "error"),
  ]),
});

/** "0", "2.1 %"; never 0 where something was lost. */
function shareCell(share: number, tone?: "error"): Cell {
  const text = share === 0 ? "0" : `${formatNumber(share * 100, { digits: 2 })} %`;
  return share > 0 && tone !== undefined ? { text, value: share, tone } : { text, value: share };
}

const countCell = (count: number): Cell =>
  count === 0 ? { text: "0", value: 0 } : { text: formatCount(count), value: count, tone: "error" };
