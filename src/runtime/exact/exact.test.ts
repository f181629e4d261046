import { expect, test } from "vitest";
import type { Graph, TorchCall } from "../../graph/graph.ts";
import { createEmitter } from "../../ops/emitter.ts";
import { encodeForRun } from "../encodeForRun.ts";
import { withExactSteps } from "./exact.ts";

const callOf = (op: string) => ({ op, site: { file: "", line: 1, column: 0 } }) as TorchCall;

/** `write` on a parameter x of shape [2, 3], within a call of `torch.<op>`. */
function graphOf(op: string, write: (emit: ReturnType<typeof createEmitter>, x: never) => unknown) {
  const emit = createEmitter();
  const type = { dtype: "float32", shape: [2, 3] } as const;
  const x = emit.input(type, { role: "parameter", name: "x", requiresGrad: true, data: null });
  emit.origin = { direction: "forward", call: callOf(op), group: null };
  const y = write(emit, x as never) as Graph["outputs"][number];
  return { inputs: [x], nodes: emit.nodes, outputs: [y] };
}

const opsOf = ({ nodes }: Graph) => nodes.map(({ op }) => op);

test("means of deviations are measured from the first of a row", () => {
  const mean = (op: string) =>
    graphOf(op, (emit, x) => emit.op("ReduceMean", [x, emit.ints([1])], { keepdims: 1 }));
  const steps = ["Slice", "IsInf", "Where", "Sub", "ReduceMean", "Add"];
  expect(opsOf(withExactSteps(mean("std")))).toEqual(steps);
  expect(opsOf(withExactSteps(mean("mean")))).toEqual(["ReduceMean"]);
  const { fed, outputs } = encodeForRun(mean("var"));
  expect(fed.map(({ role, name }) => [role, name])).toEqual([["parameter", "x"]]);
  expect(outputs.map(({ role }) => role)).toEqual(["node"]);
});

test("a sigmoid is exact where something reads that loses its digits", () => {
  const read = (write: Parameters<typeof graphOf>[1]) =>
    opsOf(withExactSteps(graphOf("sigmoid", write)));
  const steps = ["Neg", "Exp", "Add", "Reciprocal"];
  expect(read((emit, x) => emit.op("Log", [emit.op("Sigmoid", [x])]))).toEqual([...steps, "Log"]);
  const small = (emit: Parameters<Parameters<typeof graphOf>[1]>[0]) =>
    emit.scalar(1e-24, "float32");
  expect(
    read((emit, x) => emit.op("Log", [emit.op("Add", [emit.op("Sigmoid", [x]), small(emit)])])),
  ).toEqual([...steps, "Add", "Log"]);
  expect(read((emit, x) => emit.op("Div", [x, emit.op("Sigmoid", [x])]))).toEqual([
    ...steps,
    "Div",
  ]);
  expect(read((emit, x) => emit.op("Div", [emit.op("Sigmoid", [x]), x]))).toEqual([
    "Sigmoid",
    "Div",
  ]);
  expect(read((emit, x) => emit.op("Mul", [x, emit.op("Sigmoid", [x])]))).toEqual([
    "Sigmoid",
    "Mul",
  ]);
});

test("the mean of nothing is no number", () => {
  const emit = createEmitter();
  const type = { dtype: "float32", shape: [0, 3] } as const;
  const x = emit.input(type, { role: "parameter", name: "x", requiresGrad: true, data: null });
  const y = emit.op("ReduceMean", [x, emit.ints([0])], { keepdims: 0 });
  const { nodes } = withExactSteps({ inputs: [x], nodes: emit.nodes, outputs: [y] });
  expect(nodes.map(({ op }) => op)).toEqual(["Expand"]);
  expect(nodes[0]?.inputs.map((value) => value?.data && [...value.data])).toEqual([
    [Number.NaN],
    [3],
  ]);
});

test("a tangent is exact where it is taken from its own number", () => {
  const rest = (from: "itself" | "another") =>
    graphOf("tanhshrink", (emit, x) => {
      const other = from === "itself" ? x : emit.op("Abs", [x]);
      return emit.op("Sub", [other, emit.op("Tanh", [x])]);
    });
  expect(opsOf(withExactSteps(rest("itself")))).toEqual(["Cast", "Tanh", "Cast", "Sub"]);
  expect(opsOf(withExactSteps(rest("another")))).toEqual(["Abs", "Tanh", "Sub"]);
});

test("the last NaN of a window is looked for where the sum is no number", () => {
  const pool = graphOf("max_pool1d", (emit, x) => {
    const rows = emit.op("Unsqueeze", [x, emit.ints([0])]);
    return emit.ops("MaxPool", [rows], { kernel_shape: [2] }, 2)[1];
  });
  const { nodes } = withExactSteps(pool);
  expect(nodes.map(({ op }) => op)).toEqual(["Unsqueeze", "ReduceSum", "IsNaN", "If"]);
  const { then_branch: repaired, else_branch: plain } = nodes[3]?.attrs ?? {};
  expect(opsOf(plain as Graph)).toEqual(["MaxPool"]);
  expect(opsOf(repaired as Graph).filter((op) => op === "MaxPool")).toHaveLength(2);
});

test("only short rows are looked at for squares that overflow", () => {
  const norm = (op: string) =>
    graphOf(op, (emit, x) => {
      const ones = emit.op("Cast", [emit.ints([1, 1, 1])], { to: "float32" });
      return emit.op("LayerNormalization", [x, ones]);
    });
  const steps = ["LayerNormalization", "Mul", "Mul", "Add"];
  expect(opsOf(withExactSteps(norm("layer_norm")))).toEqual(steps);
  expect(opsOf(withExactSteps(norm("instance_norm")))).toEqual(["LayerNormalization"]);
});
