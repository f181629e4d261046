import { expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import type { Attrs, Node, Origin, TorchCall, Value } from "../graph/graph.ts";
import { farBelow } from "../graph/negativeIndex.ts";
import type { HostArray } from "../graph/tensor.ts";
import { createEmitter } from "../ops/emitter.ts";
import { createRuntime } from "./run.ts";

const runtime = createRuntime({ threads: 1 });

const call: TorchCall = {
  id: 1,
  op: "embedding",
  site: { file: "model.py", line: 7, column: 8, endLine: 7, endColumn: 20, function: "forward" },
  module: "tok",
  moduleCall: 0,
};
const origin: Origin = { direction: "forward", call, group: null };

const input = (array: HostArray): Value =>
  createEmitter().input(array, {
    role: "input",
    name: null,
    requiresGrad: false,
    data: array.data,
  });

const node = (
  op: string,
  inputs: Value[],
  type: Omit<HostArray, "data">,
  attrs: Attrs = {},
): Node => ({
  op,
  inputs,
  outputs: [{ ...input({ ...type, data: new Float32Array() }), role: "node", data: null }],
  attrs,
  origin,
});

const evaluate = async (made: Node): Promise<HostArray | undefined> =>
  (
    await runtime.evaluateGraph({ inputs: [], nodes: [made], outputs: made.outputs }, made.outputs)
  )[0];

test("computes what a graph describes", async () => {
  const emit = createEmitter();
  const x = input({ dtype: "float32", shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) });
  const w = input({ dtype: "float32", shape: [2, 1], data: Float32Array.of(10, 1) });
  const y = emit.op("MatMul", [x, w]);
  const z = emit.op("ReduceSum", [y, null], { keepdims: 0 });
  const graph = { inputs: [x, w], nodes: emit.nodes, outputs: [z] };
  expect(await runtime.evaluateGraph(graph, [z, y, x])).toEqual([
    { dtype: "float32", shape: [], data: Float32Array.of(46) },
    { dtype: "float32", shape: [2, 1], data: Float32Array.of(12, 34) },
    { dtype: "float32", shape: [2, 2], data: x.data },
  ]);
});

test("returns many outputs of one element, each with its own type", async () => {
  const emit = createEmitter();
  const values = Array.from({ length: 100 }, (_, at) =>
    input({
      dtype: at % 3 ? "float32" : "int64",
      shape: [1, 2],
      data: at % 3 ? Float32Array.of(at, 1) : Float64Array.of(at, 1),
    }),
  );
  const sums = values.map((value) => emit.op("ReduceSum", [value, null], { keepdims: 1 }));
  const graph = { inputs: values, nodes: emit.nodes, outputs: sums };
  const results = await runtime.evaluateGraph(graph, sums);
  expect(results.map((array) => array.data[0])).toEqual(values.map((_, at) => at + 1));
  expect(results.map(({ dtype, shape }) => ({ dtype, shape }))).toEqual(
    sums.map(({ dtype, shape }) => ({ dtype, shape })),
  );
});

const sameThroughIdentity: readonly HostArray[] = [
  { dtype: "float64", shape: [2], data: Float64Array.of(1.1, -Infinity) },
  { dtype: "float32", shape: [2], data: Float32Array.of(0.5, NaN) },
  { dtype: "float16", shape: [2], data: Float32Array.of(65504, -(2 ** -24)) },
  { dtype: "bfloat16", shape: [2], data: Float32Array.of(2 ** 127, -(2 ** -130)) },
  { dtype: "int64", shape: [2], data: Float64Array.of(-1, 2 ** 53 - 1) },
  { dtype: "int32", shape: [2], data: Int32Array.of(-1, 2 ** 31 - 1) },
  { dtype: "int16", shape: [2], data: Int16Array.of(-1, 2 ** 15 - 1) },
  { dtype: "int8", shape: [2], data: Int8Array.of(-1, 127) },
  { dtype: "uint8", shape: [2], data: Uint8Array.of(0, 255) },
  { dtype: "bool", shape: [2], data: Uint8Array.of(0, 1) },
  { dtype: "float32", shape: [0, 3], data: new Float32Array() },
  { dtype: "float32", shape: [], data: Float32Array.of(3) },
];

for (const array of sameThroughIdentity)
  test(`feeds and returns ${array.dtype}[${array.shape}] unchanged`, async () => {
    expect(await evaluate(node("Identity", [input(array)], array))).toEqual(array);
    const constant: Value = { ...input(array), role: "constant" };
    expect(await evaluate(node("Identity", [constant], array))).toEqual(array);
  });

test("feeds shared memory", async () => {
  const data = new Float32Array(new SharedArrayBuffer(8));
  data.set([1, 2]);
  const shared: HostArray = { dtype: "float32", shape: [2], data };
  expect((await evaluate(node("Identity", [input(shared)], shared)))?.data).toEqual(
    Float32Array.of(1, 2),
  );
});

const messageOf = async (made: Node): Promise<string> => {
  try {
    await evaluate(made);
  } catch (error) {
    if (!(error instanceof NormscopeError)) throw error;
    return `${error.place?.file}:${error.place?.line} ${error.code} ${error.message}`;
  }
  return "no error";
};

test("names the call whose index is out of range", async () => {
  const table = input({ dtype: "float32", shape: [2, 3], data: new Float32Array(6) });
  const index = input({ dtype: "int64", shape: [1], data: Float64Array.of(5) });
  const gather = node("Gather", [table, index], { dtype: "float32", shape: [1, 3] });
  expect(await messageOf(gather)).toMatchInlineSnapshot(
    `"model.py:7 runtime/index-out-of-range index out of range in self"`,
  );
});

test("names a negative index that was moved to where no table has a row", async () => {
  const table = input({ dtype: "float32", shape: [2, 3], data: new Float32Array(6) });
  const index = input({ dtype: "int64", shape: [1], data: Float64Array.of(-1 - farBelow) });
  const gather = node("Gather", [table, index], { dtype: "float32", shape: [1, 3] });
  expect(await messageOf(gather)).toMatchInlineSnapshot(
    `"model.py:7 runtime/index-out-of-range index out of range in self"`,
  );
});

test("says how much memory was missing", async () => {
  const size = input({ dtype: "int64", shape: [2], data: Float64Array.of(1e6, 1e6) });
  const fill = node("ConstantOfShape", [size], { dtype: "float32", shape: [1e6, 1e6] });
  expect(await messageOf(fill)).toMatchInlineSnapshot(
    `"model.py:7 runtime/out-of-memory ConstantOfShape (embedding in 'tok') ran out of memory: 4000.0 GB more were needed"`,
  );
});

test("names the operator that has no implementation", async () => {
  const x = input({ dtype: "float64", shape: [1], data: Float64Array.of(1) });
  expect(await messageOf(node("Erf", [x], x))).toMatchInlineSnapshot(
    `"model.py:7 runtime/no-kernel Erf (embedding in 'tok') has no implementation on the provider 'cpu' for these element types"`,
  );
});

test("passes on the reason of other failures without positions in foreign source", async () => {
  const x = input({ dtype: "float32", shape: [2, 3], data: new Float32Array(6) });
  const shape = input({ dtype: "int64", shape: [1], data: Float64Array.of(5) });
  expect(
    await messageOf(node("Reshape", [x, shape], { dtype: "float32", shape: [5] })),
  ).toMatchInlineSnapshot(
    `"model.py:7 runtime/failed Reshape (embedding in 'tok') failed in ONNX Runtime: input_shape_size == requested_shape_size was false. The input tensor cannot be reshaped to the requested shape. Input shape:{2,3}, requested shape:{5}"`,
  );
  expect(await messageOf(node("Foo", [x], x))).toMatchInlineSnapshot(
    `"model.py:7 runtime/failed Foo (embedding in 'tok') failed in ONNX Runtime: No Op registered for Foo with domain_version of 23"`,
  );
});

test("finds a type that was inferred wrongly", async () => {
  const x = input({ dtype: "float32", shape: [2], data: new Float32Array(2) });
  await expect(evaluate(node("Identity", [x], { dtype: "float32", shape: [3] }))).rejects.toThrow(
    /inferred as \[3\] and computed as \[2\]/,
  );
});
