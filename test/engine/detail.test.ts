/** Details of single values, from the engine as it is built. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";
import type { AxisBreakdown, Detail, Stats } from "../../src/protocol/report.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const engine = startEngine({ enginePath: pathOf("dist/engine.mjs") });
afterAll(() => engine.dispose());

const request: RunRequest = {
  root: pathOf("models"),
  file: "pre_ln.py",
  entry: "PreLNTransformer",
  set: { n_layers: "2", d_model: "32", d_ff: "64", vocab_size: "64" },
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  device: "cpu",
};

const elements = ({ histogram: { negative, positive, zeros } }: Detail): number =>
  [...negative, ...positive].reduce((sum, count) => sum + count, zeros);

function expectToFit(detail: Detail | null | undefined, stats: Stats | null | undefined): void {
  if (detail == null || stats == null) throw new Error("the value has both");
  expect(elements(detail)).toBe(stats.count);
  const { p1, p50, p99 } = detail.percentiles;
  const inOrder = [stats.min, p1, p50, p99, stats.max].map(Number);
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  expect(detail.histogram.zeros).toBe(Math.round(stats.zeroFraction * stats.count));
}

test("a value's details are those of the value in the report", async () => {
  const report = await engine.run(request);
  for (const op of ["gelu", "scaled_dot_product_attention", "layer_norm"]) {
    const index = report.values.findIndex((value) => value.op === op);
    const { activation, gradient } = await engine.detail({ ...request, index });
    expectToFit(activation, report.values[index]?.activation);
    expectToFit(gradient, report.values[index]?.gradient);
  }
});

test("a constant has details and no gradient", async () => {
  const report = await engine.run(request);
  const index = report.values.findIndex(({ op }) => op === "arange");
  const { activation, gradient } = await engine.detail({ ...request, index });
  expectToFit(activation, report.values[index]?.activation);
  expect(gradient).toBeNull();
});

const measures = ["rms", "mean", "std", "absMax"] as const;
type Recorded = readonly Record<(typeof measures)[number], readonly number[]>[];

function expectRecorded(axes: readonly AxisBreakdown[], recorded: Recorded): void {
  for (const measure of measures) {
    const largest = Math.max(...recorded.flatMap((one) => one[measure].map(Math.abs)));
    for (const [at, one] of recorded.entries())
      for (const [slice, expected] of one[measure].entries()) {
        const got = Number(axes.find(({ axis }) => axis === at)?.[measure][slice]);
        const tolerance = 1e-4 * Math.abs(expected) + 2e-6 * largest;
        expect(Math.abs(got - expected), `${measure} ${at} ${slice}`).toBeLessThan(tolerance);
      }
  }
}

test("slices by position, feature and head are PyTorch's, and named", async () => {
  const golden = JSON.parse(readFileSync(pathOf("test/golden/slices.json"), "utf8"));
  const own = {
    ...request,
    root: pathOf("test/fixtures"),
    file: "slices.py",
    entry: null,
    set: {},
  };
  const report = await engine.run(own);
  const names = {
    softmax: ["batch", "head", "query", "key"],
    linear: ["batch", "position", "feature"],
  };
  for (const [op, axes] of Object.entries(names)) {
    const index = report.values.findLastIndex((value) => value.op === op);
    const { activation, gradient } = await engine.detail({ ...own, index });
    expect(activation?.axes.map(({ name }) => name)).toEqual(axes);
    expectRecorded(activation?.axes ?? [], golden[op].activation);
    expectRecorded(gradient?.axes ?? [], golden[op].gradient);
  }
});

test.each([
  ["embedding", ["batch", "position", "feature"]],
  ["scaled_dot_product_attention", ["batch", "head", "position", "feature"]],
  ["gelu", ["batch", "position", "feature"]],
])("the axes of %s in a decoder are %s", async (op, names) => {
  const report = await engine.run(request);
  const index = report.values.findIndex((value) => value.op === op);
  const { activation } = await engine.detail({ ...request, index });
  expect(activation?.axes.map(({ name }) => name)).toEqual(names);
});
