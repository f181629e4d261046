import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freeInGroup, freeMemory } from "./freeMemory.ts";

test("a machine has some memory free, and no more than it has", () => {
  expect(freeMemory()).toBeGreaterThan(0);
  expect(freeMemory()).toBeLessThanOrEqual(totalmem());
});

test("a control group counts, less what it would give back", () => {
  const folder = mkdtempSync(join(tmpdir(), "normscope-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    expect(freeInGroup(folder)).toBe(Number.POSITIVE_INFINITY);
    write("memory.max", "max\n");
    write("memory.current", "600\n");
    expect(freeInGroup(folder)).toBe(Number.POSITIVE_INFINITY);
    write("memory.max", "1000\n");
    expect(freeInGroup(folder)).toBe(400);
    write("memory.stat", "anon 300\ninactive_file 100\n");
    expect(freeInGroup(folder)).toBe(500);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
