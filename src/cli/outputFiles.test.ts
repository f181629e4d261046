import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

test("what cannot be written is told before there is anything to write", () => {
  const files = outputFiles();
  const check = (path: string) => () => files.check(join(folder, path));
  expect(check("checked/a.json")).not.toThrow();
  expect(check("file/a.json")).toThrow(/could not be written/);
  expect(check("kept")).toThrow(/it is a folder/);
  files.discard();
  expect(existsSync(join(folder, "checked"))).toBe(false);
});

test("a link stays, and a file keeps its permissions", () => {
  const files = outputFiles();
  const [path, link] = [join(folder, "script.py"), join(folder, "link.py")];
  writeFileSync(path, "old", { mode: 0o700 });
  symlinkSync("script.py", link);
  files.write(link, "new");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test.runIf(existsSync("/dev/null"))("a device is written into and never replaced", () => {
  const link = join(folder, "nothing");
  symlinkSync("/dev/null", link);
  const files = outputFiles();
  files.check(link);
  files.write(link, "text");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});
