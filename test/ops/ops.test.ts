import { expect, test } from "vitest";
import { encodeModel } from "../../src/graph/encode.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import { prune } from "../../src/graph/prune.ts";
import { type HostArray, isFloat } from "../../src/graph/tensor.ts";
import { opNamed, opTypes } from "../../src/ops/registry.ts";
import { createRuntime } from "../../src/runtime/run.ts";
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
  const { run, isHost } = await float64Runner(built.graph, built.results);
  expect(isHost, given.withoutFloat64 ?? "ONNX Runtime has float64 kernels").toBe(
    given.withoutFloat64 !== undefined,
  );
  const [, ...gradients] = await run(new Map());
  const lossOf = async (source: Value, data: Float64Array) =>
    (await run(new Map([[source, data]])))[0]?.data[0] as number;
  for (const [k, source] of built.sources.entries()) {
    const expected = await differences(built, source, lossOf);
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

/** ONNX Runtime, or the host where it lacks float64 kernels. */
async function float64Runner(graph: Graph, outputs: readonly Value[]) {
  const onHost = async (feeds: Feeds): Promise<HostArray[]> => {
    const fed = { ...graph, nodes: graph.nodes.map((node) => ({ ...node })) };
    const replaced = new Map([...feeds].map(([value, data]) => [value.id, { ...value, data }]));
    const swap = (value: Value | null) => (value && replaced.get(value.id)) ?? value;
    const nodes = fed.nodes.map((node) => ({ ...node, inputs: node.inputs.map(swap) }));
    return evaluateOnHost({ ...graph, nodes }, outputs);
  };
  try {
    const session = await runtime.openSession(encodeModel(prune({ ...graph, outputs })), "cpu");
    const run = async (feeds: Feeds): Promise<HostArray[]> => {
      const results = await session.run(
        new Map([...feeds].map(([value, data]) => [value.id, data])),
      );
      return outputs.map(({ id }) => results.get(id) as HostArray);
    };
    return { run, isHost: false };
  } catch {
    return { run: onHost, isHost: true };
  }
}

/** Equal to `tolerance` of the largest entry; what is not finite exactly. */
function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what: string,
): void {
  expect(actual.length, what).toBe(expected.length);
  const finite = Array.from(expected).filter(Number.isFinite);
  const largest = finite.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  for (let i = 0; i < expected.length; i++) {
    const [a, b] = [actual[i] as number, expected[i] as number];
    const fits = Object.is(a, b) || Math.abs(a - b) <= tolerance * largest;
    if (!fits)
      expect.fail(
        `${what}: [${Array.from(actual).join(", ")}] is not [${Array.from(expected).join(", ")}]`,
      );
  }
}
