import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { lineNotes } from "../present/lineNotes.ts";
import { inlineText } from "./inlineStyle.ts";

const note = lineNotes(preReport(), "pre.py").find(({ passes }) => passes === 4);
if (note === undefined) throw new Error("no folded line");
const shown = { line: 1, note, change: "→×2" };
const style = { maxLength: 80, sparklines: true, changes: true };

test("forward, gradient, passes and the change since the run before", () => {
  expect(inlineText(shown, false, style)).toMatch(
    /^→ \S+ [▁-▇]{4} {2}← \S+ [▁-▇]{4} {2}×4 {2}Δ →×2$/,
  );
  expect(inlineText(shown, true, { ...style, changes: false })).toMatch(/^edited {2}→ .*×4$/);
});

test("what does not fit loses its bars first, then its end", () => {
  expect(inlineText(shown, false, { ...style, maxLength: 40 })).toMatch(
    /^→ \S+ {2}← \S+ {2}×4 {2}Δ →×2$/,
  );
  const cut = inlineText(shown, false, { ...style, maxLength: 20 });
  expect(cut).toHaveLength(20);
  expect(cut).toMatch(/…$/);
});
