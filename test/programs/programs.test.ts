/** Programs in which random search found a difference from PyTorch once give what PyTorch gives. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compare } from "../../scripts/fuzz/compare.ts";
import { readPrograms } from "../../scripts/fuzz/keep.ts";
import type { Answer } from "../../scripts/fuzz/oracle.ts";
import { trace } from "../../scripts/fuzz/traced.ts";

const root = join(import.meta.dirname, "../..");
const programs = readPrograms(join(root, "test/programs/found.json"));
const wanted: Answer[] = JSON.parse(readFileSync(join(root, "test/golden/programs.json"), "utf8"));
const harness = readFileSync(join(root, "scripts/fuzz/harness.py"), "utf8");

describe("programs found by search", () => {
  let found: Answer[] = [];
  beforeAll(async () => {
    found = await trace(programs, harness, join(root, "dist/python"));
  }, 120_000);

  test.each(programs.map(({ lines }, at) => [at, lines.join("; ")] as const))("%i %s", (at) => {
    const [theirs, ours] = [wanted[at], found[at]] as [Answer, Answer];
    expect(compare(theirs, ours)).toEqual({ difference: null, refused: null });
  });
});
