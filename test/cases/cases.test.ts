/** Problems that people met, as small models: the numbers and the places are those of PyTorch. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { endRuns, runScript } from "../parity/runScript.ts";
import { compareWithCase, type Expected } from "./compare.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));
const cases = readdirSync(join(folder, "expected")).map((file) => file.replace(/\.json$/, ""));

/** Relative; float16 has eleven bits. */
const tolerance = 1e-3;
const halfTolerance = 2e-2;

afterAll(endRuns);

test("finds the cases", () => expect(cases.length).toBe(12));

test.each(cases)("%s", async (name) => {
  const text = readFileSync(join(folder, "expected", `${name}.json`), "utf8");
  const expected: Expected = JSON.parse(text);
  const relative = name.includes("half") ? halfTolerance : tolerance;
  const report = await runScript(join(folder, `${name}.py`));
  expect(compareWithCase(report, expected, relative)).toEqual([]);
});

test("layers that are copies of one start alike, and their gradients differ", async () => {
  const { parameters } = await runScript(join(folder, "n06_cloned_layers.py"));
  const weights = parameters.filter(({ name }) => name.endsWith("fc.weight"));
  expect(new Set(weights.map(({ value }) => value.l2)).size).toBe(1);
  const wanted = [0.1741, 0.1586, 0.1504, 0.1489, 0.1523, 0.159];
  expect(weights).toHaveLength(wanted.length);
  for (const [at, { gradient }] of weights.entries())
    expect(Math.abs(Number(gradient?.l2) / (wanted[at] ?? 0) - 1)).toBeLessThan(1e-3);
});

test("a name comparison that never matches leaves the plain initialisation, at every seed", async () => {
  const losses: number[] = [];
  for (let seed = 0; seed < 10; seed++) {
    const report = await runScript(join(folder, "n13_init_name_miss.py"), { seed });
    losses.push(Number(report.loss));
    const projections = report.parameters.filter(({ name }) => name.endsWith("c_proj.weight"));
    for (const { value } of projections) expect(Number(value.std)).toBeGreaterThan(0.019);
  }
  losses.sort((a, b) => a - b);
  const middle = (Number(losses[4]) + Number(losses[5])) / 2;
  const found = [losses[0], middle, losses[9]].map((loss) => Number(loss).toFixed(4));
  expect(found).toEqual(["3.4088", "3.4312", "3.4666"]);
});
