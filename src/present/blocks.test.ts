import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import type { ParameterReport, RunReport, ValueReport } from "../protocol/report.ts";
import { ffnWeight, isWithin, pathBelow } from "./blocks.ts";

/** A report with one block, the given matrices and the given calls in their order. */
function reportWith(parameters: readonly string[], calls: readonly [string, string][]): RunReport {
  const report = preReport();
  const [parameter] = report.parameters;
  const [value] = report.values;
  const [block] = report.blocks;
  if (parameter === undefined || value === undefined || block === undefined) {
    throw new Error("the fixture has one of each");
  }
  return {
    ...report,
    blocks: [{ ...block, branches: [{ path: "blocks.0.mlp", ratio: 1, cosine: 0 }] }],
    parameters: parameters.map((name): ParameterReport => ({ ...parameter, name, shape: [2, 2] })),
    values: calls.map(([op, module]): ValueReport => ({ ...value, op, module })),
  };
}

const nameOfFfnWeight = (report: RunReport): string | undefined =>
  report.blocks[0] && ffnWeight(report, report.blocks[0])?.name;

test("the FFN's weight is the one that ran last, not the one that was registered last", () => {
  const llama = reportWith(
    ["w1", "w2", "w3"].map((name) => `blocks.0.mlp.${name}.weight`),
    ["w1", "w3", "w2"].map((name) => ["linear", `blocks.0.mlp.${name}`]),
  );
  expect(nameOfFfnWeight(llama)).toBe("blocks.0.mlp.w2.weight");
});

test("a weight that the block multiplies by itself is found without calls of Linear", () => {
  const own = reportWith(["blocks.0.mlp.a", "blocks.0.mlp.b"], [["matmul", "blocks.0.mlp"]]);
  expect(nameOfFfnWeight(own)).toBe("blocks.0.mlp.b");
  expect(nameOfFfnWeight(reportWith(["blocks.0.mlp.a"], []))).toBe("blocks.0.mlp.a");
});

test("matrices outside of the last branch do not count", () => {
  const attention = reportWith(["blocks.0.attn.out.weight"], [["linear", "blocks.0.attn.out"]]);
  expect(nameOfFfnWeight(attention)).toBeUndefined();
});

test("paths are compared by their parts", () => {
  expect(isWithin("blocks.10", "blocks.1")).toBe(false);
  expect(isWithin("blocks.1.ffn", "blocks.1")).toBe(true);
  expect(pathBelow("blocks.1.ffn.up", "blocks.1")).toBe("ffn.up");
});
