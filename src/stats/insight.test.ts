import { expect, test } from "vitest";
import { measure } from "../../test/stats/measure.ts";
import { createProgram, type ProgramInTest } from "../../test/stats/program.ts";
import { addGradients } from "../autodiff/addGradients.ts";
import type { Value } from "../graph/graph.ts";
import type { HostArray } from "../graph/tensor.ts";
import type { RunReport } from "../protocol/report.ts";
import { createRuntime } from "../runtime/run.ts";
import type { TracedAttention, TracedNorm, TracedProgram } from "../trace/program.ts";
import { planInsight } from "./insight.ts";
import { fromNum } from "./moments.ts";

type Insight = Pick<RunReport, "blocks" | "norms" | "attention">;

async function insightOf(program: TracedProgram, { emit }: ProgramInTest): Promise<Insight> {
  const { graph, gradientOf } = addGradients(program.graph, program.loss, emit);
  const insight = planInsight(program, gradientOf);
  const { instrumented, results, statsOf } = await measure(graph, insight.wanted, insight.probes);
  return insight.read(instrumented, results, statsOf);
}

async function numbers(program: TracedProgram, values: readonly Value[]): Promise<HostArray[]> {
  return createRuntime({ threads: 1 }).evaluateGraph(program.graph, values);
}

const shape = [3, 40, 32];

/** x + tanh(norm(x) · w), twice. */
function preLn() {
  const program = createProgram();
  const { emit, call, module, parameter } = program;
  const norms: TracedNorm[] = [];
  const parts: { input: Value; branch: Value; output: Value }[] = [];
  let x = call("exp", 1, () => emit.op("Exp", [parameter("x", shape, 1)]));
  for (const path of ["layers.0", "layers.1"])
    x = module(path, x, (input) => {
      const normed = call("layer_norm", 5, () => {
        const gain = parameter(`${path}.gain`, [32], 1);
        norms.push({ call: program.currentCall(), kind: "layer_norm", input, axes: 1, eps: 0.5 });
        const attrs = { axis: -1, epsilon: 0.5 };
        return emit.ops("LayerNormalization", [input, gain, null], attrs, 3)[0] as Value;
      });
      const branch = module(`${path}.mlp`, normed, (y) =>
        call("linear", 6, () => emit.op("MatMul", [y, parameter(`${path}.w`, [32, 32])])),
      );
      const output = call("add", 7, () => emit.op("Add", [input, branch]));
      parts.push({ input, branch, output });
      return output;
    });
  const loss = call("mean", 9, () =>
    emit.op("ReduceMean", [emit.op("Mul", [x, x]), null], { keepdims: 0 }),
  );
  return { program, parts, traced: program.finish(loss, { norms }) };
}

test("reports what each branch adds to the stream and what gradients do", async () => {
  const { program, parts, traced } = preLn();
  const { blocks } = await insightOf(traced, program);
  expect(blocks.map(({ path, placement }) => [path, placement])).toEqual([
    ["layers.0", "Pre-LN"],
    ["layers.1", "Pre-LN"],
  ]);
  for (const [at, { input, branch, output }] of parts.entries()) {
    const [x, b, y] = await numbers(traced, [input, branch, output]);
    const block = blocks[at];
    if (!x || !b || !y || !block) return;
    const [xx, bb, xb] = [dot(x, x), dot(b, b), dot(x, b)];
    const [own] = block.branches;
    expect(own?.path).toBe(`layers.${at}.mlp`);
    expect(fromNum(own?.ratio ?? "NaN")).toBeCloseTo(Math.sqrt(bb / xx), 5);
    expect(fromNum(own?.cosine ?? "NaN")).toBeCloseTo(xb / Math.sqrt(xx * bb), 5);
    expect(fromNum(block.streamRms)).toBeCloseTo(Math.sqrt(dot(y, y) / y.data.length), 5);
    expect(fromNum(block.backwardGain ?? "NaN")).toBeGreaterThan(0);
  }
});

test("reports the variance that a norm sees, and the shares of eps and mean", async () => {
  const { program, parts, traced } = preLn();
  const { norms } = await insightOf(traced, program);
  for (const [at, { input }] of parts.entries()) {
    const [x] = await numbers(traced, [input]);
    const report = norms[at];
    if (!x || !report) return;
    let variance = 0;
    let means = 0;
    for (let row = 0; row < 120; row++) {
      const line = [...x.data.subarray(row * 32, (row + 1) * 32)];
      const mean = line.reduce((a, b) => a + b, 0) / 32;
      means += mean ** 2 / 120;
      variance += line.reduce((a, b) => a + (b - mean) ** 2, 0) / 32 / 120;
    }
    expect(report).toMatchObject({ path: `layers.${at}`, call: 0, eps: 0.5 });
    expect(fromNum(report.variance)).toBeCloseTo(variance, 5);
    expect(fromNum(report.epsShare)).toBeCloseTo(0.5 / (variance + 0.5), 5);
    expect(fromNum(report.meanShare ?? "NaN")).toBeCloseTo(means / (means + variance), 5);
  }
});

test("takes the mean square for an RMSNorm's variance", async () => {
  const program = createProgram();
  const { emit, call, parameter } = program;
  const input = parameter("x", shape, 3);
  const norms: TracedNorm[] = [];
  const loss = call("rms_norm", 4, () => {
    norms.push({ call: program.currentCall(), kind: "rms_norm", input, axes: 1, eps: 1e-6 });
    return emit.op(
      "ReduceMean",
      [emit.op("RMSNormalization", [input, parameter("g", [32])]), null],
      {
        keepdims: 0,
      },
    );
  });
  const report = (await insightOf(program.finish(loss, { norms }), program)).norms[0];
  const data = { dtype: "float32", shape, data: input.data as Float32Array } as const;
  expect(fromNum(report?.variance ?? "NaN")).toBeCloseTo(dot(data, data) / 3840, 4);
  expect(report?.meanShare).toBeNull();
});

test.each([
  ["from scores that a mask hides in part", true],
  ["from weights alone", false],
])("reports entropy, largest logit and row sums of each head %s", async (_, known) => {
  const program = createProgram();
  const { emit, call, parameter } = program;
  const attention: TracedAttention[] = [];
  const loss = call("softmax", 3, () => {
    const scores = emit.op("Mul", [parameter("q", [2, 3, 4, 5]), emit.scalar(6, "float32")]);
    const mask = Float32Array.of(0, -Infinity, 0, 0, 0);
    const hidden = emit.constant({ dtype: "float32", shape: [5], data: mask });
    const logits = emit.op("Add", [scores, hidden]);
    const weights = emit.op("Softmax", [logits], { axis: -1 });
    attention.push({ call: program.currentCall(), weights, logits, scores: known ? scores : null });
    return emit.op("ReduceMean", [weights, null], { keepdims: 0 });
  });
  const traced = program.finish(loss, { attention });
  const [report] = (await insightOf(traced, program)).attention;
  const [w, l] = await numbers(traced, [
    attention[0]?.weights as Value,
    attention[0]?.logits as Value,
  ]);
  expect(report).toMatchObject({ path: null, file: "model.py", line: 3, call: 0 });
  expect(report?.heads).toHaveLength(3);
  for (const [head, own] of report?.heads.entries() ?? []) {
    let entropy = 0;
    let largest = Number.NEGATIVE_INFINITY;
    for (const batch of [0, 1])
      for (let i = 0; i < 20; i++) {
        const at = (batch * 3 + head) * 20 + i;
        const p = w?.data[at] ?? 0;
        entropy -= p === 0 ? 0 : (p * Math.log(p)) / 8;
        largest = Math.max(largest, l?.data[at] ?? 0);
      }
    expect(fromNum(own.entropy)).toBeCloseTo(entropy, 5);
    expect(own.maxLogit).toBe(largest);
    expect(fromNum(own.minRowSum)).toBeCloseTo(1, 6);
    expect(fromNum(own.maxRowSum)).toBeCloseTo(1, 6);
  }
});

function dot({ data: a }: HostArray, { data: b }: HostArray): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
