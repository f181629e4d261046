import { expect, test } from "vitest";
import { postReport, preReport, preSource } from "../../test/fixtures/reports.ts";
import type { RunReport } from "../protocol/report.ts";
import { fileNumbers, type MeasuredText } from "./fileNumbers.ts";

const source = preSource();
const run = (report: RunReport, text = source): MeasuredText => ({ report, file: "pre.py", text });
const shown = (now: string, runs: readonly MeasuredText[]) => {
  const numbers = fileNumbers(now, runs);
  return numbers?.notes.map(({ line, note }) => `${line}<${note.line}`);
};
const edited = (line: number, text: string): string =>
  source
    .split("\n")
    .map((it, i) => (i === line - 1 ? text : it))
    .join("\n");

test("a file that was not run has no numbers", () => {
  expect(fileNumbers(source, [])).toBeNull();
});

test("the text that was run shows all of its numbers", () => {
  const numbers = fileNumbers(source, [run(preReport())]);
  expect(numbers?.isStale).toBe(false);
  expect(numbers?.notes.length).toBeGreaterThan(1);
  expect(numbers?.notes.every(({ line, note }) => line === note.line)).toBe(true);
});

test("an edited line loses its numbers, the others are stale and move", () => {
  const runs = [run(preReport())];
  const lines = fileNumbers(source, runs)?.notes.map(({ line }) => line) ?? [];
  const first = lines[0] ?? 0;
  const now = edited(first, "        x = 2 * x\n        y = x");
  expect(fileNumbers(now, runs)?.isStale).toBe(true);
  expect(shown(now, runs)).toEqual(lines.slice(1).map((line) => `${line + 1}<${line}`));
});

test("undo brings the numbers of that text back, whatever ran since", () => {
  const older = run(preReport());
  const newer = run(postReport(), edited(3, "# changed"));
  expect(fileNumbers(source, [newer, older])).toMatchObject({ run: older, isStale: false });
  expect(fileNumbers(edited(3, "# other"), [newer, older])).toMatchObject({
    run: newer,
    isStale: true,
  });
});

/** The report with all activations and gradients of its values scaled. */
function scaled(report: RunReport, forward: number, backward: number): RunReport {
  const values = report.values.map((value) => ({
    ...value,
    activation: { ...value.activation, rms: Number(value.activation.rms) * forward },
    gradient: value.gradient && {
      ...value.gradient,
      rms: Number(value.gradient.rms) * backward,
    },
  }));
  return { ...report, values };
}

test("changes against the run before are told as factors", () => {
  const changes = (report: RunReport, text = source) =>
    new Set(
      fileNumbers(text, [run(report, text), run(preReport())])?.notes.map((note) => note.change),
    );
  expect(changes(scaled(preReport(), 2, 0.1))).toEqual(new Set(["→×2 ←×0.1"]));
  expect(changes(scaled(preReport(), 1.01, 3))).toEqual(new Set(["←×3"]));
  expect(changes(preReport())).toEqual(new Set([""]));
  expect(changes(scaled(preReport(), 2, 1), edited(24, "        x = x"))).toEqual(new Set(["→×2"]));
});
