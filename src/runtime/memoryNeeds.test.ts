import { expect, test } from "vitest";
import type { Node, Value } from "../graph/graph.ts";
import { memoryNeeds } from "./memoryNeeds.ts";

let nextId = 0;
const value = (
  role: Value["role"],
  elements: number,
  dtype: Value["dtype"] = "float32",
): Value => ({
  id: nextId++,
  role,
  dtype,
  shape: [elements],
  requiresGrad: false,
  data: null,
  name: null,
});
const node = (op: string, inputs: readonly Value[], output: Value): Node => ({
  op,
  inputs,
  outputs: [output],
  attrs: {},
  origin: { direction: "forward", call: null, group: null },
});

test("counts what lives at the same time, in the order of the nodes", () => {
  const x = value("input", 10);
  const w = value("parameter", 1000);
  const [a, b, c] = [value("node", 100), value("node", 100), value("node", 100)];
  const nodes = [node("Mul", [x, w], a), node("Exp", [a], b), node("Log", [b], c)];
  const { weightsBytes, activationsBytes } = memoryNeeds({ inputs: [x], nodes, outputs: [c] });
  expect(weightsBytes).toBe(4000);
  // Two of the three values, and the input.
  expect(activationsBytes).toBe(840);
});

test("keeps a value as long as a view of it is used, and counts it once", () => {
  const x = value("input", 0);
  const [a, view, b, c] = [100, 100, 1, 1].map((size) => value("node", size));
  if (!a || !view || !b || !c) throw new Error("four values were made");
  const nodes = [
    node("Exp", [x], a),
    node("Reshape", [a], view),
    node("ReduceSum", [x], b),
    node("ReduceSum", [view], c),
  ];
  expect(memoryNeeds({ inputs: [x], nodes, outputs: [b, c] }).activationsBytes).toBe(408);
});

test("half precision is held as float32, integers as they are", () => {
  const bytes = (dtype: Value["dtype"]) => {
    const w = value("parameter", 10, dtype);
    const y = value("node", 0);
    return memoryNeeds({ inputs: [w], nodes: [node("Cast", [w], y)], outputs: [y] }).weightsBytes;
  };
  expect([bytes("bfloat16"), bytes("int64"), bytes("bool")]).toEqual([40, 80, 10]);
});
