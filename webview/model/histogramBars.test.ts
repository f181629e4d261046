import { expect, test } from "vitest";
import { barTable, histogramBars } from "./histogramBars.ts";

test("bars run from the most negative to the most positive, without the empty ends", () => {
  const bars = histogramBars({ least: -2, negative: [0, 3, 0], positive: [1, 0, 5], zeros: 7 });
  expect(bars.map(({ label, count }) => `${label}: ${count}`)).toEqual([
    "−2⁻¹ … −2⁰: 3",
    "−2⁻² … −2⁻¹: 0",
    "0: 7",
    "2⁻² … 2⁻¹: 1",
    "2⁻¹ … 2⁰: 0",
    "2⁰ … 2¹: 5",
  ]);
  expect(barTable("Histogram", bars).rows).toHaveLength(6);
});

test("a value of zeros alone has one bar", () => {
  expect(histogramBars({ least: 0, negative: [0], positive: [0], zeros: 4 })).toHaveLength(1);
});
