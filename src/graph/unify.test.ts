import { expect, test } from "vitest";
import { NormscopeError } from "../errors.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { inferNode } from "../ops/inferNode.ts";
import { createRuntime } from "../runtime/run.ts";
import { decodeModel } from "./decode.ts";
import { exportModel } from "./exportModel.ts";
import type { Graph, Value } from "./graph.ts";
import { printGraph } from "./printGraph.ts";
import type { Sizes } from "./sizeExpression.ts";
import { trialSizes, unify } from "./unify.ts";

const runtime = createRuntime({ threads: 1 });
const { first, second } = trialSizes;

const waves = (count: number, step: number): Float32Array =>
  Float32Array.from({ length: count }, (_, at) => Math.sin(at * step));

function parameter(emit: Emitter, name: string, shape: readonly number[]): Value {
  const data = waves(
    shape.reduce((n, size) => n * size, 1),
    name.length / 7,
  );
  return emit.input(
    { dtype: "float32", shape },
    { role: "parameter", name, requiresGrad: true, data },
  );
}

const tokens = (emit: Emitter, { batch = 1, seq = 1 }: Sizes): Value =>
  emit.input(
    { dtype: "int64", shape: [batch, seq] },
    {
      role: "input",
      name: "idx",
      requiresGrad: false,
      data: Float64Array.from({ length: batch * seq }, (_, at) => (at * 5) % 11),
    },
  );

/** One causal attention layer with two heads over four channels, as a trace at these sizes writes it. */
function attention(sizes: Sizes): Graph {
  const { batch = 1, seq = 1 } = sizes;
  const emit = createEmitter();
  const idx = tokens(emit, sizes);
  const table = parameter(emit, "tok.weight", [11, 4]);
  const places = parameter(emit, "pos.weight", [64, 4]);
  const w = parameter(emit, "w", [4, 4]);
  const arange = Float64Array.from({ length: seq }, (_, at) => at);
  const positions = emit.constant({ dtype: "int64", shape: [seq], data: arange });
  const x = emit.op("Add", [
    emit.op("Gather", [table, idx], { axis: 0 }),
    emit.op("Gather", [places, positions], { axis: 0 }),
  ]);
  const heads = (y: Value): Value =>
    emit.op(
      "Transpose",
      [emit.op("Reshape", [y, emit.ints([batch, seq, 2, 2])], { allowzero: 1 })],
      { perm: [0, 2, 1, 3] },
    );
  const q = heads(emit.op("MatMul", [x, w]));
  const k = emit.op("Transpose", [q], { perm: [0, 1, 3, 2] });
  const below = Uint8Array.from({ length: seq * seq }, (_, at) =>
    at % seq <= Math.floor(at / seq) ? 1 : 0,
  );
  const mask = emit.constant({ dtype: "bool", shape: [1, 1, seq, seq], data: below });
  const hidden = emit.scalar(Number.NEGATIVE_INFINITY, "float32");
  const scores = emit.op("Where", [mask, emit.op("MatMul", [q, k]), hidden]);
  const mixed = emit.op("MatMul", [emit.op("Softmax", [scores]), q]);
  const joined = emit.op(
    "Reshape",
    [emit.op("Transpose", [mixed], { perm: [0, 2, 1, 3] }), emit.ints([batch * seq, 4])],
    { allowzero: 1 },
  );
  const total = emit.op("ReduceSum", [joined, null], { keepdims: 0 });
  const mean = emit.op("Mul", [total, emit.scalar(Math.fround(1 / (batch * seq * 4)), "float32")]);
  const last = emit.op("Slice", [x, emit.ints([seq - 1]), emit.ints([seq]), emit.ints([1])]);
  const spread = emit.op("Expand", [mean, emit.ints([batch, 1, seq])]);
  return {
    inputs: [idx, table, places, w],
    nodes: emit.nodes,
    outputs: [mean, last, spread, joined],
  };
}

test("gives a graph that runs at other sizes", async () => {
  const { graph, dims } = unify(attention(first), attention(second), first, second);
  const { bytes } = exportModel(graph, { weights: "inside", externalName: "", dims });
  const other = { batch: 4, seq: 9 };
  const read = decodeModel(bytes, {
    inferTypes: inferNode,
    sizes: other,
    loadExternal: () => new Uint8Array(),
  });
  const expected = attention(other);
  expect(read.outputs.map(({ shape }) => shape)).toEqual(
    expected.outputs.map(({ shape }) => shape),
  );
  for (const value of read.inputs)
    if (value.name === "idx") Object.assign(value, { data: expected.inputs[0]?.data });
  const results = await runtime.evaluateGraph(read, read.outputs);
  expect(results).toEqual(await runtime.evaluateGraph(expected, expected.outputs));
});

test("writes sizes as nodes, or leaves them to Reshape", () => {
  const { graph, dims } = unify(attention(first), attention(second), first, second);
  expect(graph.outputs.map((value) => dims.get(value))).toEqual([
    [],
    ["batch", 1, 4],
    ["batch", 1, "seq"],
    ["batch*seq", 4],
  ]);
  expect(printGraph(graph)).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (int64[5, 29] idx, float[11, 4] "tok.weight", float[64, 4] "pos.weight", float[4, 4] w) => (float "Mul.1", float[5, 1, 4] Slice, float[5, 1, 29] Expand, float[145, 4] "Reshape.1")
    <
       int64 "int64 0" = {0},
       int64 "int64 1" = {1},
       int64[3] "[0, 1, 3]" = {0, 1, 3},
       int64[3] "[0, 1, 2]" = {0, 1, 2},
       int64[1] "[4]" = {4},
       int64[1] "[-1]" = {-1},
       int64[1] "[1]" = {1},
       int64[4] "[0, 0, 2, 2]" = {0, 0, 2, 2},
       float "-inf" = {-inf},
       int64[2] "[-1, 4]" = {-1, 4},
       int64[1] "[1].1" = {1}
    >
    {
       seq = Shape <start = 1, end = 2> (idx)
       Squeeze = Squeeze (seq)
       Range = Range ("int64 0", Squeeze, "int64 1")
       "Range.1" = Range ("int64 0", Squeeze, "int64 1")
       Unsqueeze = Unsqueeze ("Range.1", "[0, 1, 3]")
       "Range.2" = Range ("int64 0", Squeeze, "int64 1")
       "Unsqueeze.1" = Unsqueeze ("Range.2", "[0, 1, 2]")
       Sub = Sub ("Unsqueeze.1", Unsqueeze)
       LessOrEqual = LessOrEqual (Sub, "int64 0")
       batch = Shape <start = 0, end = 1> (idx)
       Mul = Mul (batch, seq)
       "4*batch*seq" = Mul (Mul, "[4]")
       "Squeeze.1" = Squeeze ("4*batch*seq")
       Cast = Cast <to = 1> ("Squeeze.1")
       Reciprocal = Reciprocal (Cast)
       "seq - 1" = Add (seq, "[-1]")
       "[batch, 1, seq]" = Concat <axis = 0> (batch, "[1]", seq)
       Gather = Gather <axis = 0> ("tok.weight", idx)
       "Gather.1" = Gather <axis = 0> ("pos.weight", Range)
       Add = Add (Gather, "Gather.1")
       MatMul = MatMul (Add, w)
       Reshape = Reshape (MatMul, "[0, 0, 2, 2]")
       Transpose = Transpose <perm = [0, 2, 1, 3]> (Reshape)
       "Transpose.1" = Transpose <perm = [0, 1, 3, 2]> (Transpose)
       "MatMul.1" = MatMul (Transpose, "Transpose.1")
       Where = Where (LessOrEqual, "MatMul.1", "-inf")
       Softmax = Softmax (Where)
       "MatMul.2" = MatMul (Softmax, Transpose)
       "Transpose.2" = Transpose <perm = [0, 2, 1, 3]> ("MatMul.2")
       "Reshape.1" = Reshape ("Transpose.2", "[-1, 4]")
       ReduceSum = ReduceSum <keepdims = 0> ("Reshape.1")
       "Mul.1" = Mul (ReduceSum, Reciprocal)
       Slice = Slice (Add, "seq - 1", seq, "[1].1")
       Expand = Expand ("Mul.1", "[batch, 1, seq]")
    }
    "
  `);
});

/** What `write` makes of tokens at two sizes. */
function problemOf(write: (emit: Emitter, idx: Value, sizes: Sizes) => Value): string {
  const trace = (sizes: Sizes): Graph => {
    const emit = createEmitter();
    emit.origin = {
      direction: "forward",
      call: {
        id: 1,
        op: "mul",
        site: { file: "m.py", line: 9, column: 4, endLine: 9, endColumn: 9, function: "forward" },
        module: null,
        moduleCall: 0,
      },
      group: null,
    };
    const idx = tokens(emit, sizes);
    const output = write(emit, idx, sizes);
    return { inputs: [idx], nodes: emit.nodes, outputs: [output] };
  };
  try {
    unify(trace(first), trace(second), first, second);
    return "none";
  } catch (error) {
    if (!(error instanceof NormscopeError)) throw error;
    return `${error.place?.file}:${error.place?.line} ${error.message}`;
  }
}

test("names the line whose constant follows no rule", () => {
  const problem = problemOf((emit, idx, { seq = 1 }) => {
    const data = waves(seq, 1);
    const wave = emit.constant({ dtype: "float32", shape: [seq], data });
    return emit.op("Mul", [emit.op("Cast", [idx], { to: "float32" }), wave]);
  });
  expect(problem).toMatchInlineSnapshot(
    `"m.py:9 This line fixes a size: at the two sizes that were tried Mul gets a constant float32[29] and float32[43]"`,
  );
});

test("names the line that computes something else at another size", () => {
  const problem = problemOf((emit, idx, { seq = 1 }) =>
    seq > 30 ? emit.op("Neg", [idx]) : emit.op("Abs", [idx]),
  );
  expect(problem).toMatchInlineSnapshot(
    `"m.py:9 This line fixes a size: at the two sizes that were tried it computes Abs and Neg"`,
  );
});

test("frees numbers that rest on a size", () => {
  for (const of of [
    (n: number) => n,
    (n: number) => 1 / n,
    (n: number) => Math.sqrt(n),
    (n: number) => 1 / Math.sqrt(n),
    (n: number) => 1 / (n - 1),
  ])
    expect(
      problemOf((emit, idx, { seq = 1 }) =>
        emit.op("Mul", [
          emit.op("Cast", [idx], { to: "float32" }),
          emit.scalar(Math.fround(of(seq)), "float32"),
        ]),
      ),
    ).toBe("none");
});
