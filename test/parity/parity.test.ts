/** Every script under test/semantics and test/parity/drivers gives what real PyTorch gave. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { NormscopeError } from "../../src/errors.ts";
import { compareWithGolden } from "./compare.ts";
import { type GoldenError, readGolden } from "./golden.ts";
import { endRuns, runScript, type ScriptOptions } from "./runScript.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");
const tests = join(repository, "test");
const semantics = scriptsUnder("semantics");
const drivers = scriptsUnder("parity/drivers");

afterAll(endRuns);

test("finds the scripts", () => {
  expect(semantics.length).toBeGreaterThan(150);
  expect(drivers.length).toBe(16);
});

/** Where PyTorch's answer is not reproduced, and why. These tests fail when one day it is. */
const different: Readonly<Record<string, string>> = {
  "semantics/inplace/data_edit.py":
    "PyTorch's backward reads memory that an edit through .data has changed; here it has the values of the forward pass",
  "semantics/inplace/fills.py":
    "fill_ gives what it overwrites a gradient of zeros in PyTorch; here none",
  "semantics/inplace/view_made_under_no_grad_is_used.py":
    "a view made under no_grad gets no hook in PyTorch; here its gradient is reported",
};

test.each(semantics.filter((script) => !(script in different)))("%s", (script) => check(script));
test.fails.each(Object.entries(different))("%s: %s", (script) => check(script));
test.each(drivers)("%s", (script) => check(script, { root: repository }));

async function check(script: string, options: ScriptOptions = {}) {
  const golden = readGolden(join(tests, "golden", script.replace(/\.py$/, ".json")));
  const run = runScript(join(tests, script), options);
  if (golden.error === null) expect(compareWithGolden(await run, golden)).toEqual([]);
  else expect(await errorOf(run)).toMatchObject(expected(golden.error));
}

/** Type and line; the line only where PyTorch names one. */
const expected = ({ type, place }: GoldenError) =>
  place === null ? { type } : { type, file: place.file, line: place.line };

async function errorOf(run: Promise<unknown>) {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof NormscopeError)) throw error ?? new Error("the script ran");
  const { pythonType: type, place } = error;
  return place === null ? { type } : { type, file: place.file, line: place.line };
}

function scriptsUnder(folder: string): string[] {
  const files = readdirSync(join(tests, folder), { recursive: true, encoding: "utf8" });
  const scripts = files.filter((file) => file.endsWith(".py"));
  return scripts.map((file) => relative(tests, join(tests, folder, file))).sort();
}
