import { expect, test } from "vitest";
import { encodeModel } from "../../src/graph/encode.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import { prune } from "../../src/graph/prune.ts";
import { type HostArray, isFloat } from "../../src/graph/tensor.ts";
import { opNamed, opTypes } from "../../src/ops/registry.ts";
import { createRuntime } from "../../src/runtime/run.ts";
import { movement } from "./cases/movement.ts";
import { cases } from "./cases.ts";
import { buildCase, differences } from "./checkOp.ts";
import { evaluateOnHost } from "./evaluateOnHost.ts";
import type { OpCase } from "./opCase.ts";

const runtime = createRuntime({ threads: 1 });

test("every operator has a case, and every case an operator", () => {
  expect(Object.keys(cases).sort()).toEqual([...opTypes()].sort());
  for (const [op, list] of Object.entries(cases)) expect(list, op).not.toEqual([]);
});

for (const [op, list] of Object.entries(cases))
  list.forEach((given, k) => {
    const name = `${op} ${given.name ?? (k === 0 ? "as it comes" : `case ${k + 1}`)}`;
    test(`${name}: types and numbers are ONNX Runtime's`, () => checkNumbers(op, given));
    if (buildCase(op, given, "float64").results.length > 0)
      test(`${name}: gradient`, () =>
        given.exact ? checkExact(op, given) : checkGradient(op, given));
  });

for (const dtype of ["float16", "bfloat16"] as const)
  for (const [op, list] of Object.entries({ ...movement, Where: cases["Where"] ?? [] }))
    test(`${op} and its gradient run on ${dtype}`, async () => {
      for (const given of list) {
        const single = buildCase(op, given, "float32");
        const half = buildCase(op, given, dtype);
        if (given.exact || half.results.length === 0) continue;
        const expected = await runtime.evaluateGraph(single.graph, single.results);
        const actual = await runtime.evaluateGraph(half.graph, half.results);
        for (const [k, { data }] of expected.slice(1).entries())
          expectClose(actual[k + 1]?.data ?? [], data, 2e-2, `${given.name}, input ${k}`);
      }
    });

async function checkNumbers(op: string, given: OpCase): Promise<void> {
  const { graph, outputs } = buildCase(op, given, "float32");
  const forward = { ...graph, outputs };
  if (given.withoutKernel !== undefined) {
    await expect(runtime.evaluateGraph(forward, outputs)).rejects.toThrow();
    return;
  }
  const numbers = await runtime.evaluateGraph(forward, outputs);
  if (!opNamed(op)?.evaluate) return;
  evaluateOnHost(forward, outputs).forEach((host, k) => {
    const ort = numbers[k] as HostArray;
    expectClose(host.data, ort.data, isFloat(ort.dtype) ? 2e-6 : 0, `output ${k}`);
  });
}

async function checkGradient(op: string, given: OpCase): Promise<void> {
  const built = buildCase(op, given, "float64");
  const run = await float64Runner(built.graph, built.results, given.withoutFloat64);
  const [, ...gradients] = await run(new Map());
  const lossOf = async (source: Value, data: Float64Array) =>
    (await run(new Map([[source, data]])))[0]?.data[0] as number;
  for (const [k, source] of built.sources.entries()) {
    const expected = await differences(source, lossOf);
    expectClose((gradients[k] as HostArray).data, expected, 1e-6, `input ${k}`);
  }
  if (given.withoutKernel !== undefined) return;
  const single = buildCase(op, given, "float32");
  const [, ...singles] = await runtime.evaluateGraph(single.graph, single.results);
  singles.forEach((gradient, k) => {
    expectClose(gradient.data, (gradients[k] as HostArray).data, 1e-4, `input ${k} in float32`);
  });
}

async function checkExact(op: string, given: OpCase): Promise<void> {
  const built = buildCase(op, given, "float32");
  const [, ...gradients] = await runtime.evaluateGraph(built.graph, built.results);
  const expected = given.exact?.gradients.filter((gradient) => gradient !== null) ?? [];
  expect(expected.length).toBe(gradients.length);
  gradients.forEach((gradient, k) => {
    expectClose(gradient.data, Float64Array.from(expected[k] ?? []), 1e-6, `input ${k}`);
  });
}

type Feeds = ReadonlyMap<Value, Float64Array>;
type Run = (feeds: Feeds) => Promise<HostArray[]>;

/** ONNX Runtime, or the host where there is a reason: it must hold. */
async function float64Runner(
  graph: Graph,
  outputs: readonly Value[],
  reason: string | undefined,
): Promise<Run> {
  const onHost: Run = async (feeds) => evaluateOnHost(withFed(graph, feeds), outputs);
  if (reason === undefined) return openOrt(graph, outputs);
  const onOrt = await openOrt(graph, outputs).catch(() => null);
  if (onOrt === null) return onHost;
  const [host, ort] = [await onHost(new Map()), await onOrt(new Map())];
  const isExact = host.every(({ data }, k) => isClose(ort[k]?.data ?? [], data, 1e-12));
  expect(isExact, `no longer holds: ${reason}`).toBe(false);
  return onHost;
}

async function openOrt(graph: Graph, outputs: readonly Value[]): Promise<Run> {
  const session = await runtime.openSession(encodeModel(prune({ ...graph, outputs })), "cpu");
  return async (feeds) => {
    const results = await session.run(new Map([...feeds].map(([{ id }, data]) => [id, data])));
    return outputs.map(({ id }) => results.get(id) as HostArray);
  };
}

function withFed(graph: Graph, feeds: Feeds): Graph {
  const replaced = new Map([...feeds].map(([value, data]) => [value.id, { ...value, data }]));
  const swap = (value: Value | null) => (value && replaced.get(value.id)) ?? value;
  const nodes = graph.nodes.map((node) => ({ ...node, inputs: node.inputs.map(swap) }));
  return { ...graph, nodes };
}

function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what: string,
): void {
  if (isClose(actual, expected, tolerance)) return;
  const [a, b] = [actual, expected].map((numbers) => Array.from(numbers).join(", "));
  expect.fail(`${what}: [${a}] is not [${b}]`);
}

/** Equal to `tolerance` of the largest entry; what is not finite exactly. */
function isClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): boolean {
  const finite = Array.from(expected).filter(Number.isFinite);
  const largest = finite.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  return (
    actual.length === expected.length &&
    Array.from(expected).every((b, i) => {
      const a = actual[i] as number;
      return Object.is(a, b) || Math.abs(a - b) <= tolerance * largest;
    })
  );
}
