import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import { choiceOf, modelRequest, pathForUser, splitTarget, withPlaces } from "./modelRequest.ts";

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

test("a file of which no class is named runs the one that its author would, and says so", () => {
  const source = "class A(nn.Module): ...\nclass B(nn.Module): ...\nA()\n";
  writeFileSync(join(cwd, "two.py"), source);
  const request = modelRequest("two.py", options, cwd);
  expect(request.entry).toBe("A");
  const message = "No class was named: 'A' was run; 'two.py' also has B (FILE:CLASS)";
  expect(choiceOf("two.py", request)).toEqual({ file: "two.py", line: 1, message });
  expect(choiceOf("two.py:A", request)).toBeNull();
});

test("a file that speaks of build and step is a script only where it defines both", () => {
  writeFileSync(join(cwd, "fit.py"), "class A(nn.Module): ...\n# build, step\nopt.step()\n");
  expect(modelRequest("fit.py", options, cwd).entry).toBe("A");
  writeFileSync(join(cwd, "script.py"), "class A(nn.Module): ...\nfrom x import step, build\n");
  expect(modelRequest("script.py", options, cwd).entry).toBeNull();
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

test("where imports need it, the workspace is the folder that they start from", () => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  const rootOf = (path: string) => modelRequest(`${path}:A`, options, cwd).root;
  write("project/layers/embed.py", "x = 1\n");
  write("project/nets/flat.py", "import math\nfrom layers.embed import x\n");
  write("project/nets/alone.py", "import layers_of_nobody\n");
  write("project/pkg/__init__.py", "");
  write("project/pkg/sub/__init__.py", "");
  write("project/pkg/sub/deep.py", "from . import other\n");
  write("project/bare/relative.py", "from .other import x\n");
  expect(rootOf("project/nets/flat.py")).toBe(join(cwd, "project"));
  expect(rootOf("project/nets/alone.py")).toBe(join(cwd, "project", "nets"));
  expect(rootOf("project/pkg/sub/deep.py")).toBe(join(cwd, "project"));
  expect(rootOf("project/bare/relative.py")).toBe(join(cwd, "project"));
});

test("a preset gives arguments, which --set replaces; its class needs no name", () => {
  const source = [
    'PRESETS = {"small": dict(n_layers=12, d_model=768)}',
    "class Model(Module):",
    "    def __init__(self, n_layers: int = 2, d_model: int = 16): ...",
  ];
  writeFileSync(join(cwd, "models", "sized.py"), source.join("\n"));
  const asked = { ...options, preset: "small", set: { n_layers: "3" } };
  expect(modelRequest("models/sized.py", asked, cwd)).toMatchObject({
    entry: "Model",
    set: { n_layers: "3", d_model: "768" },
  });
  expect(() => modelRequest("models/sized.py", { ...options, preset: "huge" }, cwd)).toThrow(
    "'models/sized.py' has no preset 'huge'",
  );
});
