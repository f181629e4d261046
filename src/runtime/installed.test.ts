import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingRuntime } from "./installed.ts";

const system = `${process.platform}-${process.arch}`;

test("finds the runtime that this package has", () => {
  expect(missingRuntime()).toBeNull();
});

test("says what is missing where it is not there, or is another system's", () => {
  const folder = mkdtempSync(join(tmpdir(), "normscope-"));
  const from = join(folder, "engine.mjs");
  expect(missingRuntime(from)).toBe(`the package onnxruntime-node for ${system} is not there`);
  const own = join(folder, "node_modules/onnxruntime-node");
  mkdirSync(join(own, "dist"), { recursive: true });
  writeFileSync(join(own, "package.json"), '{ "main": "dist/index.js" }');
  writeFileSync(join(own, "dist/index.js"), "");
  expect(missingRuntime(from)).toBe(`onnxruntime-node has no library for ${system}`);
  rmSync(folder, { recursive: true });
});
