import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import { errorText } from "./errorText.ts";

const cwd = mkdtempSync(join(tmpdir(), "normscope-errors-"));
afterAll(() => rmSync(cwd, { recursive: true }));
writeFileSync(join(cwd, "a.py"), `x = 1\n\ty = f("ä", ${"z, ".repeat(40)}q)\n`);

const text = (error: unknown, isDebug = false): string => {
  const output = {
    isTerminal: false,
    columns: 60,
    write: () => undefined,
    paint: (_: string, it: string) => it,
  };
  return errorText(error, { cwd, isDebug, output }).join("\n");
};

const errorAt = (line: number, column?: number): NormscopeError =>
  new NormscopeError("trace/python", "no", {
    place: { file: "a.py", line, ...(column === undefined ? {} : { column }) },
  });

test("the caret stands under the column, after tabs too", () => {
  expect(text(errorAt(2, 5))).toMatchInlineSnapshot(`
    "error: no
      a.py:2
       2 │     y = f("ä", z, z, z, z, z, z, z, z, z, z, z, z, z…
         │         ^
      trace/python"
  `);
});

test("without a column the caret stands under the first character", () => {
  expect(text(errorAt(1))).toMatchInlineSnapshot(`
    "error: no
      a.py:1
       1 │ x = 1
         │ ^
      trace/python"
  `);
});

test("a column that is cut off has no caret; a line that is not there no source", () => {
  expect(text(errorAt(2, 150))).not.toContain("^");
  expect(text(errorAt(9))).toBe("error: no\n  a.py:9\n  trace/python");
});

test("further lines of a message are kept, control characters are not", () => {
  expect(text(new NormscopeError("trace/python", "first\nsecond\u001b[2J"))).toBe(
    "error: first\n  second\ufffd[2J\n  trace/python",
  );
});

test("a stack is for those who ask for it", () => {
  expect(text(errorAt(1))).not.toContain("errorText.test.ts");
  expect(text(errorAt(1), true)).toContain("errorText.test.ts");
});
