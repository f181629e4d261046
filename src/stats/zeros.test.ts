import { expect, test } from "vitest";
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { fed, measure, uniforms } from "./measureInTest.ts";
import { findZeros, type Zeros } from "./zeros.ts";

const parameter = (emit: Emitter, shape: readonly number[]): Value =>
  emit.input(
    { dtype: "float32", shape },
    { role: "parameter", name: null, requiresGrad: true, data: null },
  );

function zerosOf(build: (emit: Emitter, x: Value) => Value): [Zeros, boolean] {
  const emit = createEmitter();
  const x = emit.op("MatMul", [parameter(emit, [8, 4]), parameter(emit, [4, 8])]);
  const y = build(emit, x);
  const { zerosOf: of, counted } = findZeros({ inputs: [], nodes: emit.nodes, outputs: [y] });
  return [of(y), counted(y)];
}

const scalar = (emit: Emitter, number: number): Value => emit.scalar(number, "float32");

test("looks for zeros where an operator makes them", () => {
  expect(zerosOf((_emit, x) => x)).toEqual(["none", false]);
  expect(zerosOf((emit, x) => emit.op("Relu", [x]))).toEqual(["some", true]);
  expect(zerosOf((emit, x) => emit.op("Gelu", [x]))).toEqual(["some", true]);
  expect(zerosOf((emit, x) => emit.op("Cast", [x], { to: "float16" }))).toEqual(["some", true]);
  expect(zerosOf((emit, x) => emit.op("Pad", [x, emit.ints([0, 1, 0, 0])]))).toEqual([
    "rows",
    true,
  ]);
  const tanh = (emit: Emitter, x: Value) => emit.op("Add", [emit.op("Tanh", [x]), scalar(emit, 1)]);
  expect(zerosOf(tanh)).toEqual(["some", true]);
  const fromMax = (emit: Emitter, x: Value) => emit.op("Sub", [x, emit.op("ReduceMax", [x, null])]);
  expect(zerosOf(fromMax)).toEqual(["some", true]);
});

test("looks for zeros in a softmax only behind a mask", () => {
  const softmax = (emit: Emitter, x: Value) => emit.op("Softmax", [x], { axis: -1 });
  const masked = (emit: Emitter, x: Value) =>
    softmax(emit, emit.op("Add", [x, scalar(emit, Number.NEGATIVE_INFINITY)]));
  expect(zerosOf(softmax)).toEqual(["none", false]);
  expect(zerosOf(masked)).toEqual(["some", true]);
});

test("ends at a sum with a term that holds none, but for a bias that may be 0", () => {
  const relu = (emit: Emitter, x: Value) =>
    emit.op("MatMul", [emit.op("Relu", [x]), parameter(emit, [8, 8])]);
  expect(zerosOf(relu)).toEqual(["some", true]);
  const residual = (emit: Emitter, x: Value) => emit.op("Add", [x, relu(emit, x)]);
  expect(zerosOf(residual)).toEqual(["none", false]);
  const bias = (emit: Emitter, x: Value) => emit.op("Add", [relu(emit, x), parameter(emit, [8])]);
  expect(zerosOf(bias)).toEqual(["some", true]);
});

/** x · w over tokens drawn from a table, as large as needs its own nodes. */
async function embed(table: Float32Array) {
  const emit = createEmitter();
  const shape = [64, 300];
  const [weights, matrix] = fed(
    { dtype: "float32", shape, data: table },
    { dtype: "float32", shape: [300, 300], data: Float32Array.from(uniforms(3, 90000)) },
  );
  if (!weights || !matrix) throw new Error("fed gives a value for each array");
  const data = Float64Array.from({ length: 512 }, (_, i) => i % 64);
  const tokens = emit.constant({ dtype: "int64", shape: [512], data });
  const drawn = emit.op("Gather", [weights, tokens], { axis: 0 });
  const product = emit.op("MatMul", [drawn, matrix]);
  const graph = { inputs: [weights, matrix], nodes: emit.nodes, outputs: [product] };
  const wanted = [weights, drawn, product].map((value) => ({ value }));
  const { statsOf, refined } = await measure(graph, wanted);
  return { shares: wanted.map((one) => statsOf(one)?.zeroFraction), refined };
}

test("counts what a padding row makes zero in a second stage", async () => {
  const table = Float32Array.from(uniforms(7, numel([64, 300])), (u) => u - 0.5);
  expect((await embed(table)).refined).toBeNull();
  table.fill(0, 300, 600);
  const { shares, refined } = await embed(table);
  expect(shares).toEqual([1 / 64, 1 / 64, 1 / 64]);
  expect(refined?.readings).toHaveLength(1);
  table.fill(0.25, 301, 600);
  expect((await embed(table)).refined).toBeNull();
});
