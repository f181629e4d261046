import { expect, test } from "vitest";
import { fed, measure, uniforms } from "../../test/stats/measure.ts";
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { anywhere, columns, nowhere, rows, some, type Zeros } from "./zeroPatterns.ts";
import { findZeros } from "./zeros.ts";

const parameter = (emit: Emitter, shape: readonly number[]): Value =>
  emit.input(
    { dtype: "float32", shape },
    { role: "parameter", name: null, requiresGrad: true, data: null },
  );

/** The zeros of what `build` makes of a matrix product, which has none. */
function zerosOf(build: (emit: Emitter, x: Value) => Value): Zeros {
  const emit = createEmitter();
  const x = emit.op("MatMul", [parameter(emit, [8, 4]), parameter(emit, [4, 8])]);
  const y = build(emit, x);
  return findZeros({ inputs: [], nodes: emit.nodes, outputs: [y] })(y);
}

const scalar = (emit: Emitter, number: number): Value => emit.scalar(number, "float32");
const relu = (emit: Emitter, x: Value): Value => emit.op("Relu", [x]);
const times = (emit: Emitter, x: Value): Value => emit.op("MatMul", [x, parameter(emit, [8, 8])]);
const padded = (emit: Emitter, x: Value, ...pads: number[]): Value =>
  emit.op("Pad", [x, emit.ints(pads)]);

test("looks for zeros where an operator makes them", () => {
  expect(zerosOf((_emit, x) => x)).toBe(nowhere);
  expect(zerosOf(relu)).toBe(some);
  expect(zerosOf((emit, x) => emit.op("Gelu", [x]))).toBe(some);
  expect(zerosOf((emit, x) => emit.op("Cast", [x], { to: "float16" }))).toBe(some);
  expect(zerosOf((emit, x) => emit.op("Equal", [x, x]))).toBe(anywhere);
  const tanh = (emit: Emitter, x: Value) => emit.op("Add", [emit.op("Tanh", [x]), scalar(emit, 1)]);
  expect(zerosOf(tanh)).toBe(some);
  const fromMax = (emit: Emitter, x: Value) => emit.op("Sub", [x, emit.op("ReduceMax", [x, null])]);
  expect(zerosOf(fromMax)).toBe(some);
});

test("looks for zeros in a softmax only behind a mask", () => {
  const softmax = (emit: Emitter, x: Value) => emit.op("Softmax", [x], { axis: -1 });
  const masked = (emit: Emitter, x: Value) =>
    softmax(emit, emit.op("Add", [x, scalar(emit, Number.NEGATIVE_INFINITY)]));
  expect(zerosOf(softmax)).toBe(nowhere);
  expect(zerosOf(masked)).toBe(some);
});

test("keeps the pattern of zeros: a product is 0 in lines only", () => {
  expect(zerosOf((emit, x) => padded(emit, x, 0, 0, 1, 0))).toBe(rows);
  expect(zerosOf((emit, x) => padded(emit, x, 0, 0, 0, 1))).toBe(columns | some);
  expect(zerosOf((emit, x) => times(emit, relu(emit, x)))).toBe(rows);
  const weight = (emit: Emitter, x: Value) =>
    emit.op("MatMul", [emit.op("Transpose", [x], { perm: [1, 0] }), relu(emit, x)]);
  expect(zerosOf(weight)).toBe(columns);
  const turned = (emit: Emitter, x: Value) =>
    emit.op("Transpose", [times(emit, relu(emit, x))], { perm: [1, 0] });
  expect(zerosOf(turned)).toBe(columns);
  const split = (emit: Emitter, x: Value) =>
    emit.op("Reshape", [times(emit, relu(emit, x)), emit.ints([8, 2, 4])]);
  expect(zerosOf(split)).toBe(rows);
  const merged = (emit: Emitter, x: Value) =>
    emit.op("Reshape", [times(emit, relu(emit, x)), emit.ints([4, 16])]);
  expect(zerosOf(merged)).toBe(some);
  const masked = (emit: Emitter, x: Value) =>
    emit.op("Mul", [x, emit.constant({ dtype: "float32", shape: [8, 1], data: alternating })]);
  expect(zerosOf(masked)).toBe(rows);
});

const alternating = Float32Array.from({ length: 8 }, (_, i) => i % 2);

test("ends at a sum with a term that holds none, but for a bias that may be 0", () => {
  const residual = (emit: Emitter, x: Value) => emit.op("Add", [x, relu(emit, x)]);
  expect(zerosOf(residual)).toBe(nowhere);
  const bias = (emit: Emitter, x: Value) => emit.op("Add", [relu(emit, x), parameter(emit, [8])]);
  expect(zerosOf(bias)).toBe(some);
  const both = (emit: Emitter, x: Value) =>
    emit.op("Add", [padded(emit, x, 0, 0, 1, 0), padded(emit, x, 0, 0, 1, 0)]);
  expect(zerosOf(both)).toBe(rows);
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

test("tells lines of zeros by their extremes", async () => {
  const emit = createEmitter();
  const numbers = (size: number) => Float32Array.from(uniforms(size, size), (u) => u - 0.5);
  const [x, w] = fed(
    { dtype: "float32", shape: [300, 250], data: numbers(75000) },
    { dtype: "float32", shape: [250, 300], data: numbers(75001).subarray(1) },
  );
  if (!x || !w) return;
  const short = emit.op("MatMul", [x, w]);
  const long = emit.op("Pad", [short, emit.ints([7, 0, 0, 0])]);
  const product = emit.op("MatMul", [long, short]);
  const graph = { inputs: [x, w], nodes: emit.nodes, outputs: [] };
  const wanted = [long, product].map((value) => ({ value }));
  const { statsOf, refined, instrumented } = await measure(graph, wanted);
  expect(refined).toBeNull();
  expect(instrumented.graph.nodes).toHaveLength(3 + 2 * 4);
  for (const one of wanted) expect(statsOf(one)?.zeroFraction).toBe(7 / 307);
});

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

/** GELU of x · w and the slope of it, as the gradient has it, for inputs of a given size. */
async function activate(size: number) {
  const emit = createEmitter();
  const [x, w] = fed(
    {
      dtype: "float32",
      shape: [300, 1],
      data: Float32Array.from(uniforms(5, 300), (u) => u - 0.5),
    },
    { dtype: "float32", shape: [1, 300], data: new Float32Array(300).fill(size) },
  );
  if (!x || !w) throw new Error("fed gives a value for each array");
  const product = emit.op("MatMul", [x, w]);
  const active = emit.op("Gelu", [product]);
  const scaled = emit.op("Mul", [product, scalar(emit, Math.SQRT1_2)]);
  const attrs = { alpha: 0.5, beta: 0.5 };
  const share = emit.op("HardSigmoid", [emit.op("Erf", [scaled])], attrs);
  const graph = { inputs: [x, w], nodes: emit.nodes, outputs: [active, share] };
  const wanted = [product, active, share].map((value) => ({ value }));
  const { statsOf, refined, results } = await measure(graph, wanted);
  const zeros = [active, share].map(
    (value) => results.get(value.id)?.data.filter((number: number) => number === 0).length,
  );
  return { zeros, shares: wanted.slice(1).map((one) => statsOf(one)?.zeroFraction), refined };
}

test("counts zeros of a GELU where its input is far below zero", async () => {
  const near = await activate(8);
  expect(near.zeros).toEqual([0, 0]);
  expect(near).toMatchObject({ shares: [0, 0], refined: null });
  const far = await activate(20);
  expect(far.zeros[0]).toBeGreaterThan(0);
  expect(far.shares).toEqual(far.zeros.map((count = 0) => count / 90000));
});
