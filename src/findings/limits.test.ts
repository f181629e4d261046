import { expect, test } from "vitest";
import { limitNames } from "../protocol/limitNames.ts";
import { defaultLimits, limitsWith } from "./limits.ts";

test("every threshold can be set by its name", () => {
  expect(Object.keys(defaultLimits)).toEqual(limitNames);
  expect(limitsWith({ entropy: 2, unknown: 1 })).toEqual({ ...defaultLimits, entropy: 2 });
});
