import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pythonIn, workspaceWith } from "../../../test/python/workspace.ts";

const model = `
import os, sys
from pathlib import Path

def read(path):
    return open(path).read()

def where():
    return [__file__, os.getcwd(), sys.path[0]]

def names():
    return sorted(os.listdir("."))

def write():
    Path("new.txt").write_text("new")
    Path("data/a.txt").write_text("changed")
    os.remove("data/b.txt")
    os.makedirs("deep/er")
    os.rename("data", "deep/data")
    return [read("new.txt"), read("deep/data/a.txt"), sorted(os.listdir("deep/data"))]

def append():
    with open("data/a.txt", "a") as file:
        file.write("+")
    return [read("data/a.txt"), os.stat("data/b.txt").st_size]

def truncate():
    os.truncate("data/a.txt", 2)
    return read("data/a.txt")
`;

const files = {
  "model.py": model,
  "data/a.txt": "first",
  "data/b.txt": "second",
  "local/x.py": "y = 7",
};

test.each(["workspace", "with space", "größe 模型"])(
  "Python sees the real paths: %s",
  async (name) => {
    const root = workspaceWith(files, { name });
    const python = await pythonIn(root);
    expect(python.call("model", "where")).toEqual({
      ok: true,
      value: [`${root}/model.py`, root, root],
    });
    expect(python.call("model", "read", "data/a.txt")).toEqual({ ok: true, value: "first" });
    expect(python.call("model", "read", `${root}/data/b.txt`)).toEqual({
      ok: true,
      value: "second",
    });
    expect(python.call("model", "names")).toEqual({
      ok: true,
      value: ["data", "local", "model.py"],
    });
  },
);

test("Python sees what it writes; the disk does not", async () => {
  const root = workspaceWith(files);
  const python = await pythonIn(root);
  expect(python.call("model", "write")).toEqual({ ok: true, value: ["new", "changed", ["a.txt"]] });
  expect(existsSync(`${root}/new.txt`)).toBe(false);
  expect(existsSync(`${root}/deep`)).toBe(false);
  expect(readFileSync(`${root}/data/a.txt`, "utf8")).toBe("first");
  expect(readFileSync(`${root}/data/b.txt`, "utf8")).toBe("second");
});

test("a file is read before it is changed in part", async () => {
  const python = await pythonIn(workspaceWith(files));
  expect(python.call("model", "append")).toEqual({ ok: true, value: ["first+", 6] });
  const other = await pythonIn(workspaceWith(files));
  expect(other.call("model", "truncate")).toEqual({ ok: true, value: "fi" });
});

test("a folder of packages comes last on the path", async () => {
  const packages = workspaceWith(
    { "local/x.py": "y = 8", "extra/__init__.py": "z = 9" },
    { name: "packages" },
  );
  const root = workspaceWith({
    "model.py": "def f():\n  import local.x, extra\n  return [local.x.y, extra.z]",
  });
  const python = await pythonIn(root, {}, [packages]);
  expect(python.call("model", "f")).toEqual({ ok: true, value: [8, 9] });
});

test("packages of the folder win over what stands in for them, unless it is one of a whole PyTorch", async () => {
  const root = workspaceWith({
    "model.py":
      "def f():\n  from local_attention import LocalAttention\n  return isinstance(LocalAttention, str)",
  });
  const files = { "local_attention/__init__.py": "LocalAttention = 'own'" };
  const plain = workspaceWith(files, { name: "plain" });
  const whole = workspaceWith({ ...files, "torch/__init__.py": "" }, { name: "whole" });
  for (const [folder, value] of [
    [plain, true],
    [whole, false],
  ] as const) {
    const python = await pythonIn(root, {}, [folder]);
    expect(python.call("model", "f")).toEqual({ ok: true, value });
  }
});
