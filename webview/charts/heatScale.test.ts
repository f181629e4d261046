import { expect, test } from "vitest";
import { heatScale } from "./heatScale.ts";
import { paletteColour } from "./palette.ts";

test("steps are even where the numbers are of one size", () => {
  const scale = heatScale([1, 2, 3, null, "NaN"]);
  expect(scale?.isLogarithmic).toBe(false);
  expect([1, 2, 3].map((num) => scale?.share(num))).toEqual([0, 0.5, 1]);
  expect([scale?.share("NaN"), scale?.share(null)]).toEqual([null, null]);
});

test("steps are those of a logarithm where they are not", () => {
  const scale = heatScale([1e-4, 1e-2, 1, 0]);
  expect(scale?.isLogarithmic).toBe(true);
  expect(scale?.share(1e-2)).toBeCloseTo(0.5);
  expect(scale?.share(0)).toBeNull();
});

test("equal numbers lie in the middle, and no number has no scale", () => {
  expect(heatScale([2, 2])?.share(2)).toBe(0.5);
  expect(heatScale([null, "Infinity"])).toBeNull();
});

test("the palette goes from blue to yellow", () => {
  expect([0, 1, 7].map(paletteColour)).toEqual([
    "rgb(0 32 77)",
    "rgb(255 234 70)",
    "rgb(255 234 70)",
  ]);
});
