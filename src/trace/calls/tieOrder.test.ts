import { expect, test } from "vitest";
import { firstPlaces, kthPlace, sortedPlaces } from "./tieOrder.ts";

// What torch.zeros(n).topk(k).indices gives.
test.each([
  [3, 2, [0, 1]],
  [4, 2, [2, 3]],
  [6, 4, [3, 5, 4, 0]],
  [8, 4, [6, 5, 4, 7]],
  [64, 1, [0]],
  [64, 4, [42, 43, 44, 41]],
  [200, 3, [0, 1, 2]],
  [1000, 5, [3, 4, 1, 0, 2]],
  [4096, 8, [7, 4, 1, 3, 5, 0, 2, 6]],
])("of %i equals takes the %i that PyTorch takes", (n, k, wanted) => {
  expect(firstPlaces(n, k, () => false)).toEqual(wanted);
});

test("sorts more than 16 as PyTorch does", () => {
  const order = firstPlaces(64, 32, () => false);
  expect(order.slice(0, 8)).toEqual([47, 32, 55, 54, 51, 50, 49, 52]);
  expect(order.at(-1)).toBe(53);
});

const numbers = [1, 2, 0, 1, 2, 3, 2, 3, 3, 0, 2, 1, 2, 0, 3, 3, 1];
const isLess = (a: number, b: number) => (numbers[a] as number) < (numbers[b] as number);

test("sorts equals of several numbers as PyTorch does", () => {
  expect(sortedPlaces(17, isLess)).toEqual([
    2, 13, 9, 0, 3, 16, 11, 1, 12, 10, 6, 4, 8, 7, 5, 14, 15,
  ]);
});

test("finds the k-th of equals that PyTorch finds", () => {
  expect([1, 4, 8, 16].map((k) => kthPlace(17, k, isLess))).toEqual([2, 11, 4, 8]);
});
