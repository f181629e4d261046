import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { classNote } from "./classNotes.ts";

test("a model tells its loss, its blocks and its size", () => {
  const { source } = preReport();
  expect(classNote(preReport(), "pre.py", source.entry ?? "")?.text).toBe(
    "loss 5.91, 4 × Pre-LN, 233 k parameters",
  );
});

test("a block tells its numbers over depth, short enough for a lens", () => {
  const block = preReport().modules.find(({ path }) => path === "blocks.0");
  const note = classNote(preReport(), "pre.py", block?.class ?? "");
  expect(note?.text).toMatch(/^→ \S+…\S+ [▁-▇]{4} {2}← \S+…\S+ [▁-▇]{4} {2}×4$/);
  expect(note?.text.length).toBeLessThan(60);
});

test("findings of the modules below count", () => {
  const finding = {
    code: "NS1",
    severity: "warning",
    message: "",
    file: null,
    line: null,
    module: "blocks.1.attn",
    evidence: {},
  } as const;
  const report = { ...preReport(), findings: [finding, { ...finding, module: "head" }] };
  const block = report.modules.find(({ path }) => path === "blocks.0");
  expect(classNote(report, "pre.py", block?.class ?? "")?.findings).toBe(1);
  expect(classNote(report, "pre.py", report.source.entry ?? "")?.findings).toBe(2);
});

test("a class that no module is of has none", () => {
  expect(classNote(preReport(), "pre.py", "Config")).toBeNull();
  expect(classNote(preReport(), "other.py", "PreLNTransformer")).toBeNull();
});
