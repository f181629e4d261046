import { expect, test } from "vitest";
import { measure } from "../../test/stats/measure.ts";
import { createProgram, type ProgramInTest } from "../../test/stats/program.ts";
import { addGradients } from "../autodiff/addGradients.ts";
import type { RunReport } from "../protocol/report.ts";
import type { TracedProgram } from "../trace/program.ts";
import { flopsOf } from "./flops.ts";
import { buildReport } from "./report.ts";

async function reportOf(traced: TracedProgram, { emit }: ProgramInTest): Promise<RunReport> {
  const nodes = [...traced.graph.nodes];
  const { graph, gradientOf } = addGradients({ ...traced.graph, nodes }, traced.loss, emit);
  const values = [...traced.values, ...traced.parameters].flatMap(({ value }) => value ?? []);
  const gradients = values.flatMap((value) => gradientOf(value) ?? []);
  const wanted = [...values, ...gradients].map((value) => ({ value }));
  const { statsOf, results } = await measure(graph, wanted);
  const memory = null;
  const device = { requested: "cpu", provider: "cpu", passedOver: [] };
  return buildReport({
    request: { file: "model.py", entry: null, set: {}, seed: 0 },
    program: { ...traced, graph: { ...traced.graph, nodes } },
    gradientOf,
    statsOf,
    ran: { results, device, memory, sessionMs: 1, runMs: 2 },
    begun: { start: performance.now(), traceMs: 3 },
    buildMs: 4,
    normscope: "1.2.3",
    lossRule: "step",
    plan: null,
    weights: null,
    inputRules: {},
    printed: [],
    insight: { blocks: [], norms: [], attention: [] },
  });
}

/** loss = mean((x · w)²), x · w through one module that is called twice. */
function program() {
  const own = createProgram();
  const { emit, call, module, parameter } = own;
  const x = parameter("x", [2, 3]);
  const w = parameter("w", [3, 3]);
  const once = (input: typeof x) =>
    module("layer", input, (y) => call("matmul", 7, () => emit.op("MatMul", [y, w])));
  const y = once(once(x));
  const loss = call("mean", 9, () =>
    emit.op("ReduceMean", [emit.op("Mul", [y, y]), null], { keepdims: 0 }),
  );
  return { own, loss };
}

test("lists values in call order, counting calls of one line", async () => {
  const { own, loss } = program();
  const report = await reportOf(own.finish(loss), own);
  expect(report.values.map(({ line, op, call, output }) => [line, op, call, output])).toEqual([
    [7, "matmul", 0, 0],
    [7, "matmul", 1, 0],
    [9, "mean", 0, 0],
  ]);
  expect(report.values.every(({ gradient }) => gradient !== null)).toBe(true);
  expect(report.values[2]?.gradient?.mean).toBe(1);
  expect(report.loss).toBeCloseTo(Number(report.values[2]?.activation.mean), 6);
  expect(report.timing).toMatchObject({ traceMs: 3, buildMs: 4, sessionMs: 1, runMs: 2 });
});

test("lists every call of a module", async () => {
  const { own, loss } = program();
  const { modules, values } = await reportOf(own.finish(loss), own);
  expect(modules).toHaveLength(1);
  expect(modules[0]?.calls.map(({ activation }) => activation[0])).toEqual(
    values.slice(0, 2).map(({ activation }) => activation),
  );
});

test("leaves out what the script makes itself", async () => {
  const { own, loss } = program();
  const traced = own.finish(loss);
  const values = traced.values.map((value) => ({ ...value, fromScript: value.call.op === "mean" }));
  const report = await reportOf({ ...traced, values }, own);
  expect(report.values.map(({ op }) => op)).toEqual(["matmul", "matmul"]);
});

test("has parameters that the step did not use, and null where no gradient arrives", async () => {
  const { own, loss } = program();
  const traced = own.finish(loss);
  const unused = {
    ...{ name: "spare", aliases: ["tied"], shape: [2], dtype: "float32", requiresGrad: true },
    value: null,
    data: Float32Array.of(3, 4),
  };
  const report = await reportOf({ ...traced, parameters: [...traced.parameters, unused] }, own);
  expect(report.parameters.map(({ name }) => name)).toEqual(["x", "w", "spare"]);
  expect(report.parameters[2]).toMatchObject({
    aliases: ["tied"],
    value: { l2: 5 },
    gradient: null,
  });
  expect(report.graph).toEqual({ nodes: 4, parameters: 17, flops: 84 });
});

test("counts a matrix product's operations by its formula", () => {
  const { own, loss } = program();
  // 2 products of [2, 3] and [3, 3], a square and a mean of 6 elements.
  expect(flopsOf(own.finish(loss).graph)).toBe(2 * 2 * 6 * 3 + 6 + 6);
});
