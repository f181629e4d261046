/** Results of calls lie in memory as PyTorch's do, whatever the layout of what the calls take. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Answer, Program } from "../../scripts/fuzz/oracle.ts";
import { trace } from "../../scripts/fuzz/traced.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Layouts {
  readonly setup: readonly string[];
  readonly layouts: Readonly<Record<string, readonly string[]>>;
}

const { setup, layouts }: Layouts = JSON.parse(read("test/strides/layouts.json"));
const wanted: Record<string, string[]> = JSON.parse(read("test/golden/strides.json"));
const calls = read("test/strides/calls.txt").trimEnd().split("\n");

/** All calls on the operands of one layout, as scripts/record-strides.py makes it. */
const programOf = (laid: readonly string[]): Program => ({
  leaves: [],
  lines: [...setup, ...laid, ...calls.map((call, at) => `c${at} = laid(lambda: ${call})`)],
  order: calls.map((_, at) => `c${at}`),
});

let found: Answer[] = [];
beforeAll(async () => {
  const programs = Object.values(layouts).map(programOf);
  found = await trace(programs, read("scripts/fuzz/harness.py"), join(root, "dist/python"));
}, 120_000);

test.each(calls.map((call, line) => [call, line] as const))("%s", (_, line) => {
  const names = Object.keys(layouts);
  const ours = names.map((name, at) => [name, found[at]?.values[`c${line}`]]);
  const theirs = names.map((name) => [name, wanted[name]?.[line]]);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
});

test("no operand was refused", () => {
  expect(found.map(({ errors }) => errors)).toEqual(found.map(() => ({})));
});
