import { expect, test } from "vitest";
import { allowsColor } from "./output.ts";

test("colour is for terminals, unless the user says otherwise", () => {
  expect(allowsColor(true, {})).toBe(true);
  expect(allowsColor(false, {})).toBe(false);
  expect(allowsColor(true, { NO_COLOR: "1" })).toBe(false);
  expect(allowsColor(true, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
  expect(allowsColor(false, { FORCE_COLOR: "1" })).toBe(true);
  expect(allowsColor(true, { FORCE_COLOR: "0" })).toBe(false);
  expect(allowsColor(true, { TERM: "dumb" })).toBe(false);
});
