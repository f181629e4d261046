import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import type { Graph, Node } from "./graph.ts";
import { prune } from "./prune.ts";

const emitterWithInput = () => {
  const emit = createEmitter();
  const x = emit.input(
    { dtype: "float32", shape: [2, 3] },
    { role: "input", name: "x", requiresGrad: false, data: null },
  );
  return { emit, x };
};

test("drops what no output needs and keeps the order", () => {
  const { emit, x } = emitterWithInput();
  const a = emit.op("Add", [x, x]);
  emit.op("Softmax", [a]);
  const b = emit.op("ReduceSum", [a, null], { keepdims: 0 });
  const graph: Graph = { inputs: [x], nodes: emit.nodes, outputs: [b] };
  const pruned = prune(graph);
  expect(pruned.nodes.map((node) => node.op)).toEqual(["Add", "ReduceSum"]);
  expect(pruned.inputs).toEqual([x]);
  expect(graph.nodes).toHaveLength(3);
});

test("keeps what only a graph inside a node uses", () => {
  const { emit, x } = emitterWithInput();
  const captured = emit.op("Add", [x, x]);
  const result = emit.op("Softmax", [captured]);
  const inner = emit.nodes.pop();
  if (!inner) throw new Error("no node");
  const body: Graph = { inputs: [], nodes: [inner], outputs: [result] };
  const outer: Node = {
    ...inner,
    op: "If",
    inputs: [x],
    outputs: [{ ...result, id: -1 }],
    attrs: { body },
  };
  const graph = { inputs: [x], nodes: [...emit.nodes, outer], outputs: outer.outputs };
  expect(prune(graph).nodes.map((node) => node.op)).toEqual(["Add", "If"]);
});
