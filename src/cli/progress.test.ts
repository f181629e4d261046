import { expect, test } from "vitest";
import type { Output } from "./output.ts";
import { showProgress } from "./progress.ts";

const output = (isTerminal: boolean) => {
  const written: string[] = [];
  const it: Output = {
    isTerminal,
    columns: 60,
    write: (text) => void written.push(text),
    paint: (_, text) => text,
  };
  return { it, written };
};

test("a terminal sees one line that is removed in the end", () => {
  const { it, written } = output(true);
  const progress = showProgress(it, "pre.py:A");
  progress.stage("trace");
  progress.end();
  expect(written[0]).toContain("\r\u001b[2K⠋ pre.py:A: tracing  ");
  expect(written.at(-1)).toBe("\r\u001b[2K");
});

test("a file or a pipe sees nothing", () => {
  const { it, written } = output(false);
  const progress = showProgress(it, "pre.py:A");
  progress.stage("trace");
  progress.end();
  expect(written).toEqual([]);
});
