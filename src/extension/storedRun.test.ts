import { expect, test } from "vitest";
import { preReport, preSource } from "../../test/fixtures/reports.ts";
import { measuredBy, measuredFiles, samePath, storedRun } from "./storedRun.ts";

const configuration = {
  uri: "file:///w/models/pre.py",
  entry: "PreLNTransformer",
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  device: "auto" as const,
};
const what = { id: "1", at: 5, configuration, root: "/w/models" };
const stored = storedRun(preReport(), what, { "/w/models/pre.py": preSource() });

test("a run is called by what was run and what was set", () => {
  expect(stored.head.name).toBe("PreLNTransformer, n_layers=4, d_model=64");
  expect(stored.head.facts).toMatchObject({ placement: "Pre-LN", device: "cpu", findings: 0 });
});

test("files are found by where they are", () => {
  expect(measuredFiles(preReport(), "/w/models")).toEqual(["/w/models/pre.py"]);
  expect(measuredBy([stored], "/w/models/pre.py")).toMatchObject([
    { stored, file: "pre.py", text: preSource() },
  ]);
  expect(measuredBy([stored], "/w/models/post.py")).toEqual([]);
});

test("case matters where the file system has it", () => {
  expect(samePath("/a/B.py", "/a/b.py", "linux")).toBe(false);
  expect(samePath("C:\\a\\B.py", "c:\\a\\b.py", "win32")).toBe(true);
});
