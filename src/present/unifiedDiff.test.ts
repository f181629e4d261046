import { expect, test } from "vitest";
import { lineEdits, unifiedDiff } from "./unifiedDiff.ts";

test("equal texts have no diff", () => {
  expect(unifiedDiff("a\nb\n", "a\nb\n", "a.py")).toEqual([]);
});

test("shows what changed with three lines around it", () => {
  const before = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const after = before.toSpliced(20, 1).toSpliced(5, 1, "new", "lines");
  expect(unifiedDiff(before.join("\n"), after.join("\n"), "a.py").join("\n")).toBe(
    `--- a.py
+++ a.py
@@ -3,7 +3,8 @@
 line 2
 line 3
 line 4
-line 5
+new
+lines
 line 6
 line 7
 line 8
@@ -18,7 +19,6 @@
 line 17
 line 18
 line 19
-line 20
 line 21
 line 22
 line 23`,
  );
});

test("edits replace whole lines", () => {
  expect(lineEdits("a\nb\nc\nd\n", "a\nB\nc\nnew\nd\n")).toEqual([
    { start: 1, end: 2, text: "B\n" },
    { start: 3, end: 3, text: "new\n" },
  ]);
  expect(lineEdits("a\nb\n", "a\n")).toEqual([{ start: 1, end: 2, text: "" }]);
});
