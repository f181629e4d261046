import { expect, test } from "vitest";
import { findPattern } from "./patterns.ts";
import type { HostArray } from "./tensor.ts";

const array = (shape: readonly number[], ...numbers: number[]): HostArray => ({
  dtype: "float32",
  shape,
  data: Float32Array.from(numbers),
});

test("finds arrays of one number", () => {
  expect(findPattern(array([2, 2], 3, 3, 3, 3))).toEqual({ kind: "filled", value: 3 });
});

test("finds arrays that count along their axes", () => {
  expect(findPattern(array([1, 3], 4, 6, 8))).toEqual({
    kind: "counting",
    start: 4,
    steps: [0, 2],
  });
  // Row − column.
  expect(findPattern(array([2, 3], 0, -1, -2, 1, 0, -1))).toEqual({
    kind: "counting",
    start: 0,
    steps: [1, -1],
  });
});

test("finds triangles and their diagonal", () => {
  const hidden = Number.NEGATIVE_INFINITY;
  expect(findPattern(array([1, 2, 3], 0, 0, hidden, 0, 0, 0))).toEqual({
    kind: "triangular",
    diagonal: 1,
    inside: 0,
    outside: hidden,
  });
});

test("finds nothing in other arrays", () => {
  expect(findPattern(array([4], 0, 1, 2, 4))).toBeNull();
  expect(findPattern(array([2, 2], 1, 0, 0, 1))).toBeNull();
  expect(findPattern(array([0]))).toBeNull();
});
