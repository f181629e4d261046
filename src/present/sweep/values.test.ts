import { expect, test } from "vitest";
import { typedValues } from "./values.ts";

test("commas part values, but for those in brackets and quotes", () => {
  expect(typedValues("2, 4,8 ,")).toEqual(["2", "4", "8"]);
  expect(typedValues("[1, 2], (3, 4), 'a,b'")).toEqual(["[1, 2]", "(3, 4)", "'a,b'"]);
  expect(typedValues("((1, 2), (3,)), {'a': [1, 2]}")).toEqual(["((1, 2), (3,))", "{'a': [1, 2]}"]);
  expect(typedValues(" ")).toEqual([]);
});
