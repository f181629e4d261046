import { expect, test } from "vitest";
import { printedByLine, printedText } from "./printed.ts";

const row = (line: number, text: string) => ({
  stream: "stdout" as const,
  file: "model.py",
  line,
  text,
});
const printed = [row(3, "a\nb\n"), row(3, "c\n"), row(9, "no end")];

test("a place stands where it changes", () => {
  expect(printedText(printed, 10)).toEqual({
    lines: [
      { place: "model.py:3", text: "a" },
      { place: "", text: "b" },
      { place: "", text: "c" },
      { place: "model.py:9", text: "no end" },
    ],
    left: 0,
  });
});

test("says how many lines are left out", () => {
  const { lines, left } = printedText(printed, 3);
  expect([lines.length, left]).toEqual([3, 1]);
});

test("what a line printed is one text", () => {
  expect([...printedByLine(printed, "model.py")]).toEqual([
    [3, "a\nb\nc\n"],
    [9, "no end"],
  ]);
  expect(printedByLine(printed, "other.py").size).toBe(0);
});
