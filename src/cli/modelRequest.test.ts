import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import { modelRequest, pathForUser, splitTarget, withPlaces } from "./modelRequest.ts";

const cwd = mkdtempSync(join(tmpdir(), "normscope-request-"));
afterAll(() => rmSync(cwd, { recursive: true }));
mkdirSync(join(cwd, "models"));
writeFileSync(join(cwd, "models", "a.py"), "class A: pass\n");

const options = { set: {}, input: [], seed: 0 };

test("a target is a file and perhaps a class", () => {
  expect(splitTarget("models/a.py:Model")).toEqual({ file: "models/a.py", entry: "Model" });
  expect(splitTarget("models/a.py")).toEqual({ file: "models/a.py", entry: null });
  expect(splitTarget("C:\\models\\a.py")).toEqual({ file: "C:\\models\\a.py", entry: null });
  expect(splitTarget("a.py:Größe")).toEqual({ file: "a.py", entry: "Größe" });
});

test("the workspace is the file's folder, or --root", () => {
  const alone = modelRequest("models/a.py:A", options, cwd);
  expect(alone).toMatchObject({ root: join(cwd, "models"), file: "a.py" });
  const rooted = modelRequest("models/a.py:A", { ...options, root: "." }, cwd);
  expect(rooted).toMatchObject({ root: cwd, file: "models/a.py" });
});

test("a file outside of --root is refused", () => {
  mkdirSync(join(cwd, "other"), { recursive: true });
  expect(() => modelRequest("models/a.py:A", { ...options, root: "other" }, cwd)).toThrow(
    "'models/a.py' must lie below --root; that is 'other'",
  );
});

test("places are named as the user can open them", async () => {
  expect(pathForUser(join(cwd, "models"), "a.py", cwd)).toBe(join("models", "a.py"));
  expect(pathForUser("/elsewhere", "a.py", cwd)).toBe("/elsewhere/a.py");
  const error = new NormscopeError("trace/python", "no", { place: { file: "a.py", line: 2 } });
  const placed = withPlaces(Promise.reject(error), join(cwd, "models"), cwd);
  await expect(placed).rejects.toMatchObject({ place: { file: join("models", "a.py"), line: 2 } });
});
