import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import { sideNames, stackSides } from "./reportSide.ts";

test("stacks meet by their position, whatever they are called", () => {
  const blocks = postReport().blocks.map((it) => ({ ...it, path: it.path.replace("blocks", "h") }));
  const other = { ...postReport(), blocks };
  const [stack, ...others] = stackSides([
    { name: "a", report: preReport(), files: [] },
    { name: "b", report: other, files: [] },
  ]);
  expect(stack?.map(({ profile }) => profile.stack)).toEqual(["blocks", "h"]);
  expect(others).toEqual([]);
});

test("reports are named by what tells them apart", () => {
  const [pre, post] = [preReport(), postReport()];
  const script = { ...pre, source: { ...pre.source, entry: null } };
  const other = { ...script, source: { ...script.source, file: "other.py" } };
  expect(sideNames([pre, post])).toEqual(["Pre-LN", "Post-LN"]);
  expect(sideNames([pre, { ...pre, source: post.source }])).toEqual([
    "PreLNTransformer",
    "PostLNTransformer",
  ]);
  expect(sideNames([script, other])).toEqual(["pre.py", "other.py"]);
  expect(sideNames([pre, pre])).toEqual(["A", "B"]);
});
