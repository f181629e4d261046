import { expect, test } from "vitest";
import { memoryOrder, toRowMajor } from "./memoryOrder.ts";

test("a contiguous tensor is filled in the order of its indices", () => {
  expect(memoryOrder([2, 3], [3, 1])).toBeNull();
  expect(memoryOrder([2, 1, 3], [3, 7, 1])).toBeNull();
});

test("numbers of a turned tensor lie where its strides say", () => {
  const order = memoryOrder([2, 3], [1, 2]);
  const numbers = Float32Array.of(0, 1, 2, 3, 4, 5);
  expect([...toRowMajor(numbers, "float32", [2, 3], order)]).toEqual([0, 2, 4, 1, 3, 5]);
});

test("an expanded tensor has no order of its own", () => {
  expect(memoryOrder([2, 3], [0, 1])).toBeNull();
});
