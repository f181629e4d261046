import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { workspaceWith } from "../../../test/python/workspace.ts";
import { type ReadableFolder, readableFolder } from "./folders.ts";

const kinds = (folder: ReadableFolder, path: string) =>
  folder.list(path)?.map(({ name, kind }) => `${name}: ${kind}`) ?? null;

function textOf(folder: ReadableFolder, path: string): string | null {
  const bytes = new Uint8Array(100);
  const count = folder.read(path, bytes);
  return count < 0 ? null : new TextDecoder().decode(bytes.subarray(0, count));
}

test("reads what is within", () => {
  const folder = readableFolder(workspaceWith({ "a.txt": "one", "deep/b.txt": "two" }));
  expect(kinds(folder, "")).toEqual(["a.txt: file", "deep: folder"]);
  expect(kinds(folder, "deep")).toEqual(["b.txt: file"]);
  expect(textOf(folder, "deep/b.txt")).toBe("two");
  expect(textOf(folder, "absent.txt")).toBe(null);
  expect(kinds(folder, "absent")).toBe(null);
});

test("follows links that stay within and refuses those that leave", () => {
  const root = workspaceWith({ "a.txt": "one", "deep/b.txt": "two" });
  const sibling = `${root}-sibling`;
  mkdirSync(sibling);
  writeFileSync(join(sibling, "secret.txt"), "secret");
  symlinkSync("deep/b.txt", join(root, "inner"));
  symlinkSync(sibling, join(root, "outer"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync("nowhere", join(root, "dangling"));
  const folder = readableFolder(root);
  expect(kinds(folder, "")).toEqual([
    "a.txt: file",
    "dangling: refused",
    "deep: folder",
    "inner: file",
    "loop: refused",
    "outer: refused",
  ]);
  expect(textOf(folder, "inner")).toBe("two");
  expect(textOf(folder, "outer/secret.txt")).toBe(null);
  expect(kinds(folder, "outer")).toBe(null);
  expect(textOf(folder, "../workspace-sibling/secret.txt")).toBe(null);
  expect(kinds(folder, "..")).toBe(null);
});

test("a root that is itself a link is read through it", () => {
  const root = workspaceWith({ "a.txt": "one" });
  const link = join(dirname(root), "link");
  symlinkSync(root, link);
  expect(textOf(readableFolder(link), "a.txt")).toBe("one");
});
