import { expect, test } from "vitest";
import { parseStrictJson } from "./strictJson.ts";

test("reads what JSON.parse reads", () => {
  const text = ' {"a": [1, -2.5e3, "x\\n\\"é"], "b": {"c": null, "d": true}, "e": []} ';
  const parsed = parseStrictJson(text);
  expect(parsed).toEqual(
    new Map<string, unknown>([
      ["a", [1, -2500, 'x\n"é']],
      [
        "b",
        new Map<string, unknown>([
          ["c", null],
          ["d", true],
        ]),
      ],
      ["e", []],
    ]),
  );
});

test.each([
  ['{"a": 1, "a": 2}', "the key 'a' stands twice"],
  ['{"a" 1}', "':' is missing"],
  ["{1: 2}", "a key is no text"],
  ["[1, ]", "there is no value"],
  ["1 2", "there is more after the value"],
  ["[".repeat(200), "nested too deep"],
])("%s: %s", (text, reason) => {
  expect(() => parseStrictJson(text)).toThrow(reason);
});
