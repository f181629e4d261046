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

test("nothing is offered while nothing has been run", () => {
  expect(valueModel([], null, null)).toBeNull();
});
