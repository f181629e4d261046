import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import type { Origin, TorchCall, Value } from "./graph.ts";
import { nameValues } from "./names.ts";

const call = (id: number, op: string, module: string | null): TorchCall => ({
  id,
  op,
  site: { file: "m.py", line: 3, column: 4, endLine: 3, endColumn: 20, function: "forward" },
  module,
  moduleCall: 0,
});

const forward = (id: number, op: string, module: string | null): Origin => ({
  direction: "forward",
  call: call(id, op, module),
  group: null,
});

/** x · w twice, each time divided by its maximum. */
function twoCalls() {
  const emit = createEmitter();
  const x = emit.input(
    { dtype: "float32", shape: [2, 3] },
    { role: "input", name: "x", requiresGrad: false, data: null },
  );
  const w = emit.input(
    { dtype: "float32", shape: [3, 3] },
    { role: "parameter", name: "fc.weight", requiresGrad: true, data: null },
  );
  const results: Value[] = [];
  let at = x;
  for (const id of [1, 2]) {
    emit.origin = forward(id, "linear", "fc");
    const product = emit.op("MatMul", [at, w]);
    at = emit.op("Div", [product, emit.op("ReduceMax", [product, null], { keepdims: 0 })]);
    results.push(product, at);
  }
  return { emit, x, w, results };
}

test("names the result of a call plainly and what it was made from by the operator", () => {
  const { emit, x, w, results } = twoCalls();
  const names = nameValues({ inputs: [x, w], nodes: emit.nodes, outputs: [] });
  expect([x, w, ...results].map((value) => names.get(value))).toEqual([
    "x",
    "fc.weight",
    "fc/linear.MatMul",
    "fc/linear",
    "fc/linear.MatMul.1",
    "fc/linear.1",
  ]);
});

test("names gradients and statistics after what they belong to", () => {
  const { emit, x, w, results } = twoCalls();
  const result = results[1] as Value;
  emit.origin = { ...forward(1, "linear", "fc"), direction: "backward" };
  const seed = emit.op("Exp", [result]);
  const dResult = emit.op("Neg", [seed]);
  const dW = emit.op("MatMul", [seed, w]);
  emit.origin = { ...emit.origin, direction: "statistic" };
  const max = emit.op("ReduceMax", [dResult, null], { keepdims: 0 });
  const gradients = new Map([
    [result, dResult],
    [w, dW],
  ]);
  const names = nameValues(
    { inputs: [x, w], nodes: emit.nodes, outputs: [] },
    { gradientOf: (value) => gradients.get(value) ?? null },
  );
  expect([seed, dResult, dW, max].map((value) => names.get(value))).toEqual([
    "fc/linear.grad.Exp",
    "fc/linear.grad",
    "fc.weight.grad",
    "fc/linear.grad.max",
  ]);
});

test("names constants by their numbers, and gives each name once", () => {
  const emit = createEmitter({ mayFold: () => false });
  const constants = [
    emit.scalar(Math.fround(0.1), "float32"),
    emit.scalar(1, "int64"),
    emit.ints([0, -1]),
    emit.constant({ dtype: "float32", shape: [9], data: new Float32Array(9) }),
    emit.constant({ dtype: "float32", shape: [10], data: new Float32Array(10) }),
  ];
  for (const value of constants) emit.op("Identity", [value]);
  const given = new Map([[constants[1] as Value, "one"]]);
  const names = nameValues({ inputs: [], nodes: emit.nodes, outputs: [] }, { given });
  expect(constants.map((value) => names.get(value))).toEqual([
    "0.1",
    "one",
    "[0, -1]",
    "constant",
    "constant.1",
  ]);
});
