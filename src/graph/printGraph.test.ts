import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import type { Origin, Value } from "./graph.ts";
import { printGraph } from "./printGraph.ts";
import type { DType, TensorType } from "./tensor.ts";

let calls = 0;
const origin = (op: string, module: string | null): Origin => ({
  direction: "forward",
  call: {
    id: ++calls,
    op,
    site: { file: "m.py", line: 3, column: 4, endLine: 3, endColumn: 20, function: "forward" },
    module,
    moduleCall: 0,
  },
  group: null,
});

const input = (name: string, type: TensorType, role: "input" | "parameter" = "input"): Value =>
  createEmitter().input(type, { role, name, requiresGrad: role === "parameter", data: null });

test("prints a model with names from the source", () => {
  const emit = createEmitter();
  const x = input("x", { dtype: "float32", shape: [2, 3] });
  const w = input("fc.weight", { dtype: "float32", shape: [3, 4] }, "parameter");
  emit.origin = origin("linear", "fc");
  const h = emit.op("MatMul", [x, w]);
  emit.origin = origin("softmax", "");
  const y = emit.op("Softmax", [emit.op("Mul", [h, emit.scalar(0.5, "float32")])]);
  emit.origin = origin("sum", null);
  const loss = emit.op("ReduceSum", [y, emit.ints([0, 1])], { keepdims: 0 });
  expect(printGraph({ inputs: [x, w], nodes: emit.nodes, outputs: [loss] })).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[2, 3] x, float[3, 4] "fc.weight") => (float sum)
    <float "0.5" = {0.5}, int64[2] "[0, 1]" = {0, 1}>
    {
       "fc/linear" = MatMul (x, "fc.weight")
       "softmax.Mul" = Mul ("fc/linear", "0.5")
       softmax = Softmax ("softmax.Mul")
       sum = ReduceSum <keepdims = 0> (softmax, "[0, 1]")
    }
    "
  `);
});

test("prints every type of constant, and large ones as inputs", () => {
  const emit = createEmitter({ mayFold: () => false });
  const constant = (dtype: DType, shape: number[], ...data: number[]): Value =>
    emit.constant({ dtype, shape, data: Float64Array.from(data) });
  const uses = [
    constant("float32", [], Math.fround(0.1)),
    constant("float32", [2], -0, Number.NEGATIVE_INFINITY),
    constant("float64", [1], 0.1),
    constant("float16", [1], 1),
    constant("bfloat16", [1], 1),
    constant("int64", [2], 0, -1),
    constant("int32", [], 7),
    constant("bool", [2], 1, 0),
    constant("float32", [40], ...new Array(40).fill(1)),
    constant("float32", [0]),
  ];
  const outputs = uses.map((value) => emit.op("Identity", [value]));
  expect(printGraph({ inputs: [], nodes: emit.nodes, outputs })).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[40] constant) => (
       float Identity,
       float[2] "Identity.1",
       double[1] "Identity.2",
       float16[1] "Identity.3",
       bfloat16[1] "Identity.4",
       int64[2] "Identity.5",
       int32 "Identity.6",
       bool[2] "Identity.7",
       float[40] "Identity.8",
       float[0] "Identity.9"
    )
    <
       float "0.1" = {0.1},
       float[2] "float32 [-0, -inf]" = {-0, -inf},
       double[1] "float64 [0.1]" = {0.1},
       float16[1] "float16 [1]" = {15360},
       bfloat16[1] "bfloat16 [1]" = {16256},
       int64[2] "[0, -1]" = {0, -1},
       int32 "int32 7" = {7},
       bool[2] "bool [1, 0]" = {1, 0},
       float[0] "float32 []" = {}
    >
    {
       Identity = Identity ("0.1")
       "Identity.1" = Identity ("float32 [-0, -inf]")
       "Identity.2" = Identity ("float64 [0.1]")
       "Identity.3" = Identity ("float16 [1]")
       "Identity.4" = Identity ("bfloat16 [1]")
       "Identity.5" = Identity ("[0, -1]")
       "Identity.6" = Identity ("int32 7")
       "Identity.7" = Identity ("bool [1, 0]")
       "Identity.8" = Identity (constant)
       "Identity.9" = Identity ("float32 []")
    }
    "
  `);
});

test("prints attributes", () => {
  const emit = createEmitter();
  const x = input("x", { dtype: "float32", shape: [2, 3] });
  const w = input("w", { dtype: "float32", shape: [3] });
  const outputs = [
    emit.op("LayerNormalization", [x, w, null], { axis: -1, epsilon: 1 }),
    emit.op("Transpose", [x], { perm: [1, 0] }),
    emit.op("Cast", [x], { to: "bfloat16" }),
    emit.op("Einsum", [x, w], { equation: "ij,j->i" }),
  ];
  expect(printGraph({ inputs: [x, w], nodes: emit.nodes, outputs })).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[2, 3] x, float[3] w) => (
       float[2, 3] LayerNormalization,
       float[3, 2] Transpose,
       bfloat16[2, 3] Cast,
       float[2] Einsum
    )
    {
       LayerNormalization = LayerNormalization <axis = -1, epsilon = 1.0> (x, w)
       Transpose = Transpose <perm = [1, 0]> (x)
       Cast = Cast <to = 16> (x)
       Einsum = Einsum <equation = "ij,j->i"> (x, w)
    }
    "
  `);
});
