/**
 * Programs give what PyTorch gives: those in which random search found a difference once, and those
 * written by hand.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compare } from "../../scripts/fuzz/compare.ts";
import { readPrograms } from "../../scripts/fuzz/keep.ts";
import type { Answer, Program } from "../../scripts/fuzz/oracle.ts";
import { trace } from "../../scripts/fuzz/traced.ts";

const root = join(import.meta.dirname, "../..");
const harness = readFileSync(join(root, "scripts/fuzz/harness.py"), "utf8");
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

interface Written {
  readonly title: string;
  readonly program: Program;
  readonly answer: Answer;
}

const programs = readPrograms(join(root, "test/programs/found.json"));
const answers: Answer[] = readJson("test/golden/programs.json");
check(
  "programs found by search",
  programs.map((program, at) => ({
    title: `${at} ${program.lines.join("; ")}`,
    program,
    answer: answers[at] as Answer,
  })),
);

const files = readdirSync(join(root, "test/programs")).filter((file) => file.endsWith(".py"));
for (const file of files.toSorted())
  check(`programs of ${file}`, readJson(`test/golden/programs/${file.replace(/py$/, "json")}`));

function check(name: string, written: readonly Written[]) {
  describe(name, () => {
    let found: Answer[] = [];
    beforeAll(async () => {
      const all = written.map(({ program }) => program);
      found = await trace(all, harness, join(root, "dist/python"));
    }, 120_000);

    test.each(written.map(({ title }, at) => [title, at] as const))("%s", (_, at) => {
      const theirs = (written[at] as Written).answer;
      expect(compare(theirs, found[at] as Answer)).toEqual({ difference: null, refused: null });
    });
  });
}
