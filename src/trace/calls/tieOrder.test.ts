import { expect, test } from "vitest";
import { orderOfEquals } from "./tieOrder.ts";

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
  expect(orderOfEquals(n, k)).toEqual(wanted);
});

test("sorts more than 16 as PyTorch does", () => {
  const order = orderOfEquals(64, 32);
  expect(order.slice(0, 8)).toEqual([47, 32, 55, 54, 51, 50, 49, 52]);
  expect(order.at(-1)).toBe(53);
});
