import { expect, test } from "vitest";
import { evaluateSize, findSize, formatSize } from "./sizeExpression.ts";

const first = { batch: 2, seq: 10 };
const second = { batch: 3, seq: 14 };

const cases: readonly (readonly [a: number, b: number, text: string | null])[] = [
  [2, 3, "batch"],
  [10, 14, "seq"],
  [20, 42, "batch*seq"],
  [80, 168, "4*batch*seq"],
  [5, 7, "seq/2"],
  [9, 13, "seq - 1"],
  [19, 27, "2*seq - 1"],
  [11, 15, "seq + 1"],
  [10, 11, "batch + 8"],
  [7, 7.5, null],
];

for (const [a, b, text] of cases)
  test(`finds ${text ?? "nothing"} for ${a} and ${b}`, () => {
    const size = findSize(a, b, first, second);
    expect(size && formatSize(size)).toBe(text);
    if (text === null) return;
    expect(evaluateSize(text, first)).toBe(a);
    expect(evaluateSize(text, second)).toBe(b);
  });

test("knows no size that is not given", () => {
  expect(evaluateSize("heads*seq", first)).toBeNull();
  expect(evaluateSize("unk__1", first)).toBeNull();
});
