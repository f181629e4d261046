import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  files.write(join(folder, "kept", "b.json"), "whole");
  for (const path of ["kept/a.onnx", "made/for/a.onnx"]) {
    writeFileSync(join(files.folderFor(join(folder, path)), "a.onnx"), "half");
  }
  files.discard();
  files.discard();
  expect(readdirSync(join(folder, "kept"))).toEqual(["b.json"]);
  expect(existsSync(join(folder, "made"))).toBe(false);
});

test("a place that cannot be written is one readable error", () => {
  writeFileSync(join(folder, "file"), "");
  const write = () => outputFiles().write(join(folder, "file", "a.json"), "text");
  expect(write).toThrow(NormscopeError);
  expect(write).toThrow(/could not be written/);
});
