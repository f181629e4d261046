import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import { outputFiles } from "./outputFiles.ts";

const folder = mkdtempSync(join(tmpdir(), "normscope-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a file is there whole, in a new folder, and replaces an old one", () => {
  const files = outputFiles();
  const path = join(folder, "new", "a.json");
  files.write(path, "old");
  files.write(path, "text");
  expect(readFileSync(path, "utf8")).toBe("text");
  expect(readdirSync(join(folder, "new"))).toEqual(["a.json"]);
});

test("what is unfinished is gone after discard, at any moment", () => {
  const files = outputFiles();
  const working = files.folderFor(join(folder, "made", "a.onnx"));
  writeFileSync(join(working, "a.onnx"), "half");
  files.discard();
  files.discard();
  expect(readdirSync(join(folder, "made"))).toEqual([]);
});

test("a place that cannot be written is one readable error", () => {
  writeFileSync(join(folder, "file"), "");
  const write = () => outputFiles().write(join(folder, "file", "a.json"), "text");
  expect(write).toThrow(NormscopeError);
  expect(write).toThrow(/could not be written/);
});
