import { expect, test } from "vitest";
import { keptLines } from "./keptLines.ts";

const text = (lines: string) => lines.split(" ").join("\n");
const kept = (before: string, after: string) =>
  [...keptLines(text(before), text(after)).now]
    .sort(([a], [b]) => a - b)
    .map(([a, b]) => `${a}>${b}`)
    .join(" ");

test("an unchanged text keeps all lines", () => {
  expect(keptLines("a\nb\n", "a\nb\n")).toMatchObject({ isSame: true });
  expect(keptLines("a\r\nb\r\n", "a\nb\n")).toMatchObject({ isSame: true });
  expect(keptLines("a\nb\n", "a\nb")).toMatchObject({ isSame: false });
});

test("an edited line is lost, those around it are kept", () => {
  expect(kept("a b c", "a x c")).toBe("1>1 3>3");
  expect(kept("a b c", "a b x y c")).toBe("1>1 2>2 3>5");
  expect(kept("a b c d", "a d")).toBe("1>1 4>2");
});

test("edits in several places leave what lies between", () => {
  expect(kept("a b c d e", "a x c y z e")).toBe("1>1 3>3 5>6");
});

test("repeated lines follow their neighbours", () => {
  expect(kept("a r b r c", "x r b r y")).toBe("2>2 3>3 4>4");
});

test("a line that moved is kept once, in order", () => {
  expect(kept("a b c d", "b c d a")).toBe("2>1 3>2 4>3");
});

test("as many lines as before stand for those before", () => {
  expect([...keptLines("a\nb\nc", "a\nx\nc").replaced]).toEqual([[2, 2]]);
  expect(keptLines("a\nb\nc", "a\nx\ny\nc").replaced.size).toBe(0);
});

test("a key in a file of five thousand lines costs little", () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `x${i % 50} = f(${i % 7})`);
  const before = lines.join("\n");
  lines[2500] += " ";
  const after = lines.join("\n");
  const began = performance.now();
  expect(keptLines(before, after).now.size).toBe(4999);
  expect(performance.now() - began).toBeLessThan(100);
});
