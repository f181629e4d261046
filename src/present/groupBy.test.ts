import { expect, test } from "vitest";
import { groupBy } from "./groupBy.ts";

test("keeps the order of keys and items", () => {
  expect([...groupBy([3, 1, 4, 5], (it) => it % 2)]).toEqual([
    [1, [3, 1, 5]],
    [0, [4]],
  ]);
});
