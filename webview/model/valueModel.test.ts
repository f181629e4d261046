import { expect, test } from "vitest";
import { shownRun } from "../../test/e2e/pages/sampleRuns.ts";
import { valueModel } from "./valueModel.ts";

const shown = [shownRun("pre")];

test("offers every operation of the source once, with its layers", () => {
  const sites = valueModel(shown, null, null)?.sites ?? [];
  const attention = sites.find(({ passes }) => passes[0]?.label === "blocks.0.attn");
  expect(sites.length).toBeLessThan(shown[0]?.report.values.length ?? 0);
  expect(attention?.passes.map(({ label }) => label)).toEqual([
    "blocks.0.attn",
    "blocks.1.attn",
    "blocks.2.attn",
    "blocks.3.attn",
  ]);
});

test("shows the value that was asked for, and only its own details", () => {
  const value = { runId: "pre", index: 3 };
  const other = { value: { runId: "pre", index: 4 }, detail: null };
  expect(valueModel(shown, value, other)?.chosen).toMatchObject({ value, answer: null });
  const own = { value, detail: null };
  expect(valueModel(shown, value, own)?.chosen?.answer).toEqual({ detail: null });
});

test("begins with a value that has a gradient", () => {
  const [run] = shown;
  const report = run?.report;
  if (!run || !report) throw new Error("there is a run");
  const [head, ...rest] = report.values;
  const positions = { ...head, op: "arange", line: 1, gradient: null } as (typeof rest)[number];
  const own = { ...run, report: { ...report, values: [positions, ...report.values] } };
  expect(valueModel([own], null, null)?.chosen?.value.index).toBe(1);
});

test("nothing is offered while nothing has been run", () => {
  expect(valueModel([], null, null)).toBeNull();
});
