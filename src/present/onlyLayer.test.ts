import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { lineNotes } from "./lineNotes.ts";
import { onlyLayer } from "./onlyLayer.ts";

test("a pinned layer shows its own numbers, one for each line", () => {
  const report = preReport();
  const pinned = onlyLayer(report, "blocks.2");
  expect(lineNotes(pinned, "pre.py").map(({ passes }) => passes)).toEqual(
    lineNotes(report, "pre.py").map(({ passes }) => (passes === 4 ? 1 : passes)),
  );
  expect(
    pinned.values.every(({ module }) => module === null || !/blocks\.[013]/.test(module)),
  ).toBe(true);
});

test("a layer that the model does not have changes nothing", () => {
  expect(onlyLayer(preReport(), "blocks.9")).toEqual(preReport());
});
