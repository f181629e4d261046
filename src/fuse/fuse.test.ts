import { expect, test } from "vitest";
import { encodeModel } from "../graph/encode.ts";
import type { Graph, Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { gelu } from "../ops/gelu.ts";
import { reshapeTo, swapLastTwo, transpose } from "../ops/write.ts";
import { createRuntime } from "../runtime/run.ts";
import { fuseForCpu } from "./fuse.ts";

const runtime = createRuntime({ threads: 1 });

/** Numbers between −1 and 1 that look like none in particular. */
function input(emit: Emitter, shape: readonly number[], seed: number): Value {
  const data = Float32Array.from({ length: numel(shape) }, (_, at) => Math.sin(seed + 7.3 * at));
  const options = { role: "input", name: null, requiresGrad: false, data } as const;
  return emit.input({ dtype: "float32", shape }, options);
}

/** The nodes after fusing, whose numbers are those before it. */
async function fused(build: (emit: Emitter) => readonly Value[]): Promise<readonly Node[]> {
  const emit = createEmitter();
  const outputs = build(emit);
  const inputs = emit.nodes
    .flatMap((node) => node.inputs)
    .filter((value) => value !== null && value.role === "input") as Value[];
  const graph: Graph = { inputs: [...new Set(inputs)], nodes: [...emit.nodes], outputs };
  const after = fuseForCpu(emit, graph);
  const [expected, found] = [await numbersOf(graph), await numbersOf(after)];
  for (const [at, numbers] of expected.entries()) {
    const most = numbers.reduce((size, x) => Math.max(size, Math.abs(x)), 0);
    const off = numbers.map((x, k) => Math.abs(x - (found[at]?.[k] ?? Number.NaN)));
    // Sums of a thousand terms that nearly cancel each other.
    expect(off.reduce((a, b) => Math.max(a, b), 0)).toBeLessThan(1e-5 * most);
  }
  return after.nodes;
}

async function numbersOf(graph: Graph): Promise<number[][]> {
  const session = await runtime.openSession(encodeModel(graph), "cpu");
  const results = await session.run();
  await session.release();
  return graph.outputs.map(({ id }) => Array.from(results.get(id)?.data ?? []));
}

const operators = (nodes: readonly Node[]): string[] => nodes.map(({ op }) => op);
const product = "com.microsoft.FusedMatMul";

test("transposes and factors are a part of products", async () => {
  const nodes = await fused((emit) => {
    const [q, k] = [input(emit, [2, 3, 4, 5], 1), input(emit, [2, 3, 6, 5], 2)];
    const rows = emit.op("Mul", [q, emit.scalar(0.5, "float32")]);
    const scores = emit.op("MatMul", [rows, swapLastTwo(emit, k)]);
    return [emit.op("Div", [scores, emit.scalar(4, "float32")])];
  });
  expect(operators(nodes)).toEqual([product]);
  expect(nodes[0]?.attrs).toEqual({ alpha: 0.125, transA: 0, transB: 1 });
});

test("what else reads a product still finds it", async () => {
  const nodes = await fused((emit) => {
    const [a, b] = [input(emit, [4, 5], 1), input(emit, [5, 3], 2)];
    const c = emit.op("MatMul", [a, b]);
    return [c, emit.op("Mul", [c, emit.scalar(2, "float32")]), swapLastTwo(emit, c)];
  });
  expect(operators(nodes)).toEqual(["MatMul", "Mul", "Transpose"]);
});

test("heads are turned once, by whole rows", async () => {
  const nodes = await fused((emit) => {
    const x = input(emit, [2, 4, 3, 5], 1);
    const d = input(emit, [2, 3, 4, 4], 2);
    const [rows, columns] = [transpose(emit, x, [0, 2, 1, 3]), transpose(emit, x, [0, 2, 3, 1])];
    const turned = emit.op("MatMul", [columns, d]);
    return [emit.op("MatMul", [d, rows]), transpose(emit, turned, [0, 3, 1, 2])];
  });
  expect(operators(nodes)).toEqual(["Transpose", "MatMul", product, "Transpose"]);
  const perms = nodes.flatMap(({ op, attrs }) => (op === "Transpose" ? [attrs["perm"]] : []));
  expect(perms).toEqual([
    [0, 2, 1, 3],
    [0, 2, 1, 3],
  ]);
});

test("a product of operands of different rank stays", async () => {
  const nodes = await fused((emit) => {
    const [a, b] = [input(emit, [2, 3, 4], 1), input(emit, [5, 4], 2)];
    return [emit.op("MatMul", [a, swapLastTwo(emit, b)])];
  });
  expect(operators(nodes)).toEqual(["Transpose", "MatMul"]);
});

test("the bias of a large product is added by a node of its own", async () => {
  const gemm = (rows: number) =>
    fused((emit) => {
      const [a, b, c] = [input(emit, [rows, 3], 1), input(emit, [64, 3], 2), input(emit, [64], 3)];
      return [emit.op("Gemm", [a, b, c], { transB: 1 })];
    });
  expect(operators(await gemm(1024))).toEqual(["Gemm", "Add"]);
  expect(operators(await gemm(8))).toEqual(["Gemm"]);
});

const [batch, length, heads, width] = [2, 5, 3, 8];

/** Attention as scaled_dot_product_attention writes it, with what its gradient reads. */
function attention(emit: Emitter, hidden: number, from = 1): readonly Value[] {
  const flat = [batch, length, heads * width];
  const [q, k, v, d] = [1, 2, 3, 4].map((seed) =>
    reshapeTo(emit, input(emit, flat, seed), [batch, length, heads, width]),
  ) as [Value, Value, Value, Value];
  const mask = new Float32Array(length * length);
  for (let row = 0; row < length; row++)
    mask.fill(hidden, row * length + row + from, (row + 1) * length);
  const added = emit.constant({ dtype: "float32", shape: [length, length], data: mask });
  const toHeads = (x: Value) => transpose(emit, x, [0, 2, 1, 3]);
  const rows = emit.op("Mul", [toHeads(q), emit.scalar(width ** -0.5, "float32")]);
  const scores = emit.op("MatMul", [rows, transpose(emit, k, [0, 2, 3, 1])]);
  const weights = emit.op("Softmax", [emit.op("Add", [scores, added])], { axis: -1 });
  const result = emit.op("MatMul", [weights, toHeads(v)]);
  const sums = emit.op("ReduceSum", [emit.op("Mul", [toHeads(d), result]), emit.ints([3])]);
  const dWeights = emit.op("MatMul", [toHeads(d), transpose(emit, v, [0, 2, 3, 1])]);
  const dScores = emit.op("Mul", [weights, emit.op("Sub", [dWeights, sums])]);
  const dQuery = emit.op("MatMul", [dScores, toHeads(k)]);
  return [reshapeTo(emit, toHeads(result), flat), weights, dQuery];
}

test("causal attention is one kernel, which gives the heads of keys and values too", async () => {
  const nodes = await fused((emit) => attention(emit, Number.NEGATIVE_INFINITY));
  const found = operators(nodes);
  expect(found).toContain("com.microsoft.GroupQueryAttention");
  expect(found).not.toContain("Softmax");
  // Of dO, and of the sums of its rows.
  expect(found.filter((op) => op === "Transpose")).toHaveLength(2);
});

test.each([
  ["a mask that hides by a number", -10, 1],
  ["a mask that hides a query's own key's neighbour only", Number.NEGATIVE_INFINITY, 2],
])("attention stays under %s", async (_, hidden, from) => {
  const found = operators(await fused((emit) => attention(emit, hidden, from)));
  expect(found).toContain("Softmax");
});

test("values that are normalised are kept for the gradient", async () => {
  const nodes = await fused((emit) => {
    const [x, scale, bias] = [input(emit, [3, 6], 1), input(emit, [6], 2), input(emit, [6], 3)];
    const ones = emit.constant({ dtype: "float32", shape: [6], data: new Float32Array(6).fill(1) });
    const [y, , inverse] = emit.ops("LayerNormalization", [x, scale, bias], {}, 3);
    const normal = emit.op("LayerNormalization", [x, ones]);
    return [y, inverse, emit.op("Mul", [normal, normal])] as Value[];
  });
  expect(operators(nodes)).toEqual(["LayerNormalization", "Mul", "Add", "Mul"]);
});

test("what is normalised without a scale first stays where others read it", async () => {
  const nodes = await fused((emit) => {
    const [x, scale] = [input(emit, [3, 6], 1), input(emit, [6], 2)];
    const ones = emit.constant({ dtype: "float32", shape: [6], data: new Float32Array(6).fill(1) });
    const normal = emit.op("LayerNormalization", [x, ones]);
    const doubled = emit.op("Add", [normal, normal]);
    return [doubled, emit.op("LayerNormalization", [x, scale])];
  });
  expect(operators(nodes)).toEqual(["LayerNormalization", "Add", "LayerNormalization"]);
});

test("parts of parts are cut out at once", async () => {
  const nodes = await fused((emit) => {
    const whole = input(emit, [9], 1);
    const [a, b] = emit.ops("Split", [whole, emit.ints([4, 5])], { axis: 0 }, 2) as [Value, Value];
    return [...emit.ops("Split", [a, emit.ints([1, 3])], { axis: 0 }, 2), b];
  });
  expect(operators(nodes)).toEqual(["Split"]);
  expect(nodes[0]?.outputs.map(({ shape }) => shape[0])).toEqual([1, 3, 5]);
});

/** GELU between two products, and its slope as the rule of Gelu writes it. */
function curve(emit: Emitter, rows: number, readsX: boolean): readonly Value[] {
  const [a, b] = [input(emit, [rows, 3], 1), input(emit, [64, 3], 2)];
  const [bias, c, d] = [input(emit, [64], 3), input(emit, [5, 64], 4), input(emit, [rows, 64], 5)];
  const x = emit.op("Gemm", [a, b, bias], { transB: 1 });
  const y = emit.op("Gelu", [x]);
  const out = emit.op("Gemm", [y, c], { transB: 1 });
  const dX = gelu.grad.X as (...args: unknown[]) => Value;
  const slope = dX(emit, { X: x }, {}, { Y: d }, { approximate: "none" });
  const ofWeights = emit.op("Gemm", [y, d], { transA: 1 });
  return [out, slope, ofWeights, ...(readsX ? [emit.op("Neg", [x])] : [])];
}

test("products around GELU scale it, and its slope finds what it needs", async () => {
  const nodes = await fused((emit) => curve(emit, 1024, false));
  expect(operators(nodes)).not.toContain("Gelu");
  const alphas = nodes.flatMap(({ op, attrs }) => (op === "Gemm" ? [attrs["alpha"]] : []));
  expect(alphas).toEqual([Math.SQRT1_2, Math.SQRT2, Math.SQRT2]);
});

test.each([
  ["what else reads its input", 1024, true],
  ["a small product with a bias", 8, false],
])("GELU is not scaled before %s", async (_, rows, readsX) => {
  const nodes = await fused((emit) => curve(emit, rows, readsX));
  expect(operators(nodes)).not.toContain("Gelu");
  expect(nodes.every(({ attrs }) => attrs["alpha"] === undefined || attrs["alpha"] === 0.5)).toBe(
    true,
  );
});
