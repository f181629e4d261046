import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { RunReport } from "../../src/protocol/report.ts";
import { compareWithGolden } from "./compare.ts";
import { type Golden, readGolden } from "./golden.ts";

const folder = fileURLToPath(new URL("../golden/parity/drivers/", import.meta.url));
const golden = readGolden(`${folder}pre_ln_rmsnorm_1.json`);

test("finds nothing in PyTorch's own numbers", () => {
  for (const name of readdirSync(folder)) {
    const theirs = readGolden(folder + name);
    expect(compareWithGolden(asReport(theirs), theirs)).toEqual([]);
  }
});

test("names a number that is off, its place and PyTorch's", () => {
  const report = asReport(golden);
  const parameters = report.parameters.map((p) =>
    p.name === "head.weight" ? { ...p, value: { ...p.value, rms: 1 } } : p,
  );
  expect(compareWithGolden({ ...report, parameters }, golden)).toEqual([
    "parameter head.weight rms: 1, PyTorch has 0.2565663",
  ]);
});

test("names what is missing and what is too many", () => {
  const report = asReport(golden);
  const [first, ...values] = report.values;
  expect(compareWithGolden({ ...report, values }, golden)).toEqual([
    `values: '${first?.file}:${first?.line} arange call 0 output 0' is missing`,
  ]);
  expect(compareWithGolden({ ...report, modules: [] }, golden)).toContain(
    "modules: 'blocks.0.norm1:RMSNorm:1' is missing",
  );
});

test("takes a number that is zero in exact arithmetic for zero", () => {
  const report = asReport(golden);
  const parameters = report.parameters.map((p) =>
    p.name === "blocks.0.attn.k_proj.bias" && p.gradient !== null
      ? { ...p, gradient: { ...p.gradient, mean: 0, max: 3e-9, zeroFraction: 0 } }
      : p,
  );
  expect(compareWithGolden({ ...report, parameters }, golden)).toEqual([]);
});

/** What a run that agrees with `from` in all it says would report. */
function asReport(from: Golden): RunReport {
  const place = { file: "", line: 0 };
  return {
    schema: 1,
    normscope: "",
    source: { file: "", entry: null, args: {}, seed: 0, mode: from.mode },
    inputs: [],
    lossRule: "step",
    plan: null,
    device: { requested: "cpu", provider: "cpu", passedOver: [] },
    graph: { nodes: 0, parameters: 0, flops: 0 },
    timing: { traceMs: 0, buildMs: 0, sessionMs: 0, runMs: 0, totalMs: 0 },
    loss: from.loss,
    modules: (from.modules ?? []).map((module) => ({ ...place, ...module })),
    values: (from.values ?? []).map((value) => ({
      ...value,
      column: 0,
      endLine: value.line,
      endColumn: 0,
      activation: value.activation as NonNullable<typeof value.activation>,
    })),
    parameters: from.parameters,
    blocks: [],
    norms: [],
    attention: [],
    branches: [],
    gaps: [],
    findings: [],
  };
}
