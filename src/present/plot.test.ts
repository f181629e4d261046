import { expect, test } from "vitest";
import { scaleOf, thinned } from "./plot.ts";

test("ticks are round numbers within the axis", () => {
  expect(scaleOf([0, 10], { label: "", isLog: false })?.ticks).toEqual([0, 2, 4, 6, 8, 10]);
  expect(scaleOf([2, 96], { label: "", isLog: true })?.ticks).toEqual([2, 5, 10, 20, 50]);
});

test("one value stands in the middle", () => {
  expect(scaleOf([3], { label: "", isLog: false })?.position(3)).toBeCloseTo(0.5);
});

test("nothing has no scale", () => {
  expect(scaleOf([], { label: "", isLog: true })).toBeNull();
});

test("thinning keeps both ends", () => {
  expect(thinned([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 9]);
});
