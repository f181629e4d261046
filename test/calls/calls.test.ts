import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NormscopeError } from "../../src/errors.ts";
import { type Case, type Encoded, type EncodedTensor, isEncodedTensor, numberOf } from "./cases.ts";
import { type Result, runCase } from "./runCase.ts";

const folder = join(import.meta.dirname, "..", "golden", "calls");

for (const file of readdirSync(folder)) {
  const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as Case[];
  describe(file.replace(".json", ""), () => {
    cases.forEach((one, at) => {
      test(`${at} ${title(one)}`, () => check(one));
    });
  });
}

async function check(one: Case): Promise<void> {
  if (one.error) return checkError(one);
  const wanted = flat(one.result ?? null);
  for (const mode of ["step", "construction"] as const) {
    const { results, gradients, after } = await runCase(one, mode);
    expect(results.length, "number of results").toBe(wanted.length);
    results.forEach((result, at) => {
      expectClose(`${mode}: result ${at}`, result, wanted[at] as EncodedTensor, one.tolerance);
    });
    one.after?.forEach((tensor, at) => {
      if (tensor === null) return;
      expectClose(`${mode}: argument ${at}`, after[at] ?? null, tensor, one.tolerance);
    });
    if (mode === "step")
      one.gradients?.forEach((gradient, at) => {
        const found = gradients[at] ?? null;
        if (gradient === null) expect(found && !isZero(found), `gradient ${at}`).toBeFalsy();
        else expectClose(`gradient ${at}`, found, gradient, one.tolerance);
      });
  }
}

const isZero = ({ data }: Result): boolean => Array.from(data).every((x) => x === 0);

async function checkError({ error, ...one }: Case): Promise<void> {
  const found = await runCase(one, "step").then(
    () => null,
    (problem: unknown) => problem,
  );
  if (!(found instanceof NormscopeError)) throw found ?? new Error(`not refused: ${error?.text}`);
  expect(found.pythonType).toBe(error?.type);
  // The first line of PyTorch's text is recorded.
  if (error?.text !== null) expect(found.message.split("\n")[0]).toBe(error?.text);
}

/** Relative to the number and to the largest of the tensor. */
const tolerances: Readonly<Record<string, number>> = {
  float16: 2e-3,
  bfloat16: 1.6e-2,
  float64: 2e-6,
};

function expectClose(
  what: string,
  found: Result | null,
  wanted: EncodedTensor,
  tolerance = tolerances[wanted.tensor] ?? 1e-5,
): void {
  if (found === null) throw new Error(`${what} is missing`);
  expect(`${found.type}[${found.shape.join()}]`, `${what}: type`).toBe(
    `${wanted.tensor}[${wanted.shape.join()}]`,
  );
  const numbers = wanted.data.map(numberOf);
  const largest = numbers.reduce((a, b) => (Number.isFinite(b) ? Math.max(a, Math.abs(b)) : a), 0);
  const isOff = (b: number, at: number) => {
    const a = found.data[at] as number;
    if (!Number.isFinite(b) || !Number.isFinite(a)) return !Object.is(a, b);
    return Math.abs(a - b) > tolerance * Math.abs(b) + 0.2 * tolerance * largest;
  };
  if (numbers.some(isOff))
    throw new Error(
      `${what}: wanted [${numbers.join(", ")}], got [${Array.from(found.data).join(", ")}]`,
    );
}

function flat(result: Encoded): EncodedTensor[] {
  if (Array.isArray(result)) return (result as readonly Encoded[]).flatMap(flat);
  return isEncodedTensor(result) ? [result] : [];
}

function title(one: Case): string {
  const show = (arg: Encoded): string => {
    if (Array.isArray(arg)) return `[${(arg as readonly Encoded[]).map(show).join(", ")}]`;
    if (isEncodedTensor(arg)) return `${arg.tensor}[${arg.shape.join()}]`;
    return typeof arg === "object" && arg !== null ? Object.values(arg).join() : String(arg);
  };
  const keywords = Object.entries(one.kwargs).map(([key, arg]) => `${key}=${show(arg)}`);
  const call = `${one.name}(${[...one.args.map(show), ...keywords].join(", ")})`;
  return one.error ? `refuses ${call}` : call;
}
