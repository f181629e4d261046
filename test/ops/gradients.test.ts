import { expect, test } from "vitest";
import { printGraph } from "../../src/graph/printGraph.ts";
import { prune } from "../../src/graph/prune.ts";
import { buildCase } from "./checkOp.ts";
import { createDraw, ints, type OpCase } from "./opCase.ts";

const draw = createDraw(9);

/** The gradient's nodes alone: dOutput is a constant. */
function printGradient(op: string, given: OpCase): string {
  const { graph, results } = buildCase(op, given, "float32");
  return printGraph(prune({ ...graph, outputs: results.slice(1) }));
}

test("MatMul with one matrix writes two Gemms", () => {
  expect(
    printGradient("MatMul", { inputs: [draw([2, 8, 4]), draw([4, 8])] }),
  ).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[2, 8, 4] parameter, float[4, 8] "parameter.1", float[2, 8, 8] constant) => (float[2, 8, 4] "grad.Reshape.2", float[4, 8] "grad.Gemm.1")
    <
       float "1" = {1},
       int64[3] "[1, 1, 1]" = {1, 1, 1},
       int64[3] "[2, 8, 8]" = {2, 8, 8},
       int64[2] "[16, 8]" = {16, 8},
       int64[3] "[2, 8, 4]" = {2, 8, 4},
       int64[2] "[16, 4]" = {16, 4}
    >
    {
       "grad.Reshape" = Reshape <allowzero = 1> ("1", "[1, 1, 1]")
       "grad.Expand" = Expand ("grad.Reshape", "[2, 8, 8]")
       "grad.Mul" = Mul ("grad.Expand", constant)
       "grad.Reshape.1" = Reshape <allowzero = 1> ("grad.Mul", "[16, 8]")
       "grad.Gemm" = Gemm <transB = 1> ("grad.Reshape.1", "parameter.1")
       "grad.Reshape.2" = Reshape <allowzero = 1> ("grad.Gemm", "[2, 8, 4]")
       "grad.Reshape.3" = Reshape <allowzero = 1> (parameter, "[16, 4]")
       "grad.Gemm.1" = Gemm <transA = 1> ("grad.Reshape.3", "grad.Reshape.1")
    }
    "
  `);
});

test("Softmax needs four nodes", () => {
  expect(printGradient("Softmax", { inputs: [draw([4, 16])] })).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[4, 16] parameter, float[4, 16] constant) => (float[4, 16] "grad.Mul.2")
    <
       float "1" = {1},
       int64[2] "[1, 1]" = {1, 1},
       int64[2] "[4, 16]" = {4, 16},
       int64[1] "[-1]" = {-1}
    >
    {
       Softmax = Softmax (parameter)
       "grad.Reshape" = Reshape <allowzero = 1> ("1", "[1, 1]")
       "grad.Expand" = Expand ("grad.Reshape", "[4, 16]")
       "grad.Mul" = Mul ("grad.Expand", constant)
       "grad.Mul.1" = Mul ("grad.Mul", Softmax)
       "grad.ReduceSum" = ReduceSum <keepdims = 1> ("grad.Mul.1", "[-1]")
       "grad.Sub" = Sub ("grad.Mul", "grad.ReduceSum")
       "grad.Mul.2" = Mul ("grad.Sub", Softmax)
    }
    "
  `);
});

test("Gelu takes Φ from HardSigmoid", () => {
  expect(printGradient("Gelu", { inputs: [draw([4, 16])] })).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[4, 16] parameter, float[4, 16] constant) => (float[4, 16] "grad.Mul.4")
    <
       float "1" = {1},
       int64[2] "[1, 1]" = {1, 1},
       int64[2] "[4, 16]" = {4, 16},
       float "0.70710677" = {0.70710677},
       float "-0.5723649" = {-0.5723649}
    >
    {
       "grad.Reshape" = Reshape <allowzero = 1> ("1", "[1, 1]")
       "grad.Expand" = Expand ("grad.Reshape", "[4, 16]")
       "grad.Mul" = Mul ("grad.Expand", constant)
       "grad.Mul.1" = Mul (parameter, "0.70710677")
       "grad.Erf" = Erf ("grad.Mul.1")
       "grad.HardSigmoid" = HardSigmoid <alpha = 0.5, beta = 0.5> ("grad.Erf")
       "grad.Mul.2" = Mul ("grad.Mul.1", "grad.Mul.1")
       "grad.Sub" = Sub ("-0.5723649", "grad.Mul.2")
       "grad.Exp" = Exp ("grad.Sub")
       "grad.Mul.3" = Mul ("grad.Mul.1", "grad.Exp")
       "grad.Add" = Add ("grad.HardSigmoid", "grad.Mul.3")
       "grad.Mul.4" = Mul ("grad.Mul", "grad.Add")
    }
    "
  `);
});

test("LayerNormalization computes its normal rows once for X and Scale", () => {
  const inputs = [draw([4, 16]), draw([16]), draw([16])];
  expect(
    printGradient("LayerNormalization", { inputs, outputs: 3, inLoss: 1 }),
  ).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (
       float[4, 16] parameter,
       float[16] "parameter.1",
       float[16] "parameter.2",
       float[4, 16] constant
    ) => (float[4, 16] "grad.Mul.4", float[16] "grad.Reshape.1", float[16] "grad.Reshape.2")
    <
       float "1" = {1},
       int64[2] "[1, 1]" = {1, 1},
       int64[2] "[4, 16]" = {4, 16},
       float[16] "constant.1" = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
       int64[1] "[1]" = {1},
       int64[2] "[1, 4]" = {1, 4},
       int64[1] "[16]" = {16}
    >
    {
       LayerNormalization, "LayerNormalization.1", "LayerNormalization.2" = LayerNormalization (parameter, "parameter.1", "parameter.2")
       "grad.Reshape" = Reshape <allowzero = 1> ("1", "[1, 1]")
       "grad.Expand" = Expand ("grad.Reshape", "[4, 16]")
       "grad.Mul" = Mul ("grad.Expand", constant)
       "grad.LayerNormalization" = LayerNormalization <axis = -1, epsilon = 0.00001> (parameter, "constant.1")
       "grad.Mul.1" = Mul ("grad.Mul", "parameter.1")
       "grad.ReduceMean" = ReduceMean <keepdims = 1> ("grad.Mul.1", "[1]")
       "grad.Sub" = Sub ("grad.Mul.1", "grad.ReduceMean")
       "grad.Mul.2" = Mul ("grad.Mul.1", "grad.LayerNormalization")
       "grad.ReduceMean.1" = ReduceMean <keepdims = 1> ("grad.Mul.2", "[1]")
       "grad.Mul.3" = Mul ("grad.LayerNormalization", "grad.ReduceMean.1")
       "grad.Sub.1" = Sub ("grad.Sub", "grad.Mul.3")
       "grad.Mul.4" = Mul ("grad.Sub.1", "LayerNormalization.2")
       "grad.Mul.5" = Mul ("grad.Mul", "grad.LayerNormalization")
       "grad.Expand.1" = Expand ("1", "[1, 4]")
       "grad.MatMul" = MatMul ("grad.Expand.1", "grad.Mul.5")
       "grad.Reshape.1" = Reshape <allowzero = 1> ("grad.MatMul", "[16]")
       "grad.MatMul.1" = MatMul ("grad.Expand.1", "grad.Mul")
       "grad.Reshape.2" = Reshape <allowzero = 1> ("grad.MatMul.1", "[16]")
    }
    "
  `);
});

test("Gather adds rows into zeros", () => {
  expect(
    printGradient("Gather", { inputs: [draw([50, 4]), ints([1, 7, 1])], fed: [1] }),
  ).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[50, 4] parameter, int64[3] input) => (float[50, 4] "grad.ScatterND")
    <
       float "1" = {1},
       int64[2] "[1, 1]" = {1, 1},
       int64[2] "[3, 4]" = {3, 4},
       float[3, 4] constant = {-1.724864, 1.9357479, 1.8912201, 0.1250031, -0.19256973, 0.19135737, 0.42014384, 1.1096692, 1.1192493, -0.3276906, -0.10356808, 1.4085739},
       int64[2] "[50, 4]" = {50, 4},
       int64[2] "[3, 1]" = {3, 1}
    >
    {
       "grad.Reshape" = Reshape <allowzero = 1> ("1", "[1, 1]")
       "grad.Expand" = Expand ("grad.Reshape", "[3, 4]")
       "grad.Mul" = Mul ("grad.Expand", constant)
       "grad.ConstantOfShape" = ConstantOfShape <value = float[1] {0}> ("[50, 4]")
       "grad.Reshape.1" = Reshape <allowzero = 1> (input, "[3, 1]")
       "grad.ScatterND" = ScatterND <reduction = "add"> ("grad.ConstantOfShape", "grad.Reshape.1", "grad.Mul")
    }
    "
  `);
});

test("Concat splits", () => {
  expect(
    printGradient("Concat", { inputs: [draw([2, 40]), draw([3, 40])], attrs: { axis: 0 } }),
  ).toMatchInlineSnapshot(`
    "<ir_version: 11, opset_import: ["" : 23]>
    graph (float[2, 40] parameter, float[3, 40] "parameter.1", float[5, 40] constant) => (float[2, 40] "grad.Split", float[3, 40] "grad.Split.1")
    <
       float "1" = {1},
       int64[2] "[1, 1]" = {1, 1},
       int64[2] "[5, 40]" = {5, 40},
       int64[2] "[2, 3]" = {2, 3}
    >
    {
       "grad.Reshape" = Reshape <allowzero = 1> ("1", "[1, 1]")
       "grad.Expand" = Expand ("grad.Reshape", "[5, 40]")
       "grad.Mul" = Mul ("grad.Expand", constant)
       "grad.Split", "grad.Split.1" = Split <axis = 0> ("grad.Mul", "[2, 3]")
    }
    "
  `);
});
