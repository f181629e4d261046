import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import { inferNode } from "../ops/inferNode.ts";
import { checkGraph } from "./checkGraph.ts";
import type { Graph, Node } from "./graph.ts";

function graphOfTwo(): { readonly graph: Graph; readonly add: Node; readonly sum: Node } {
  const emit = createEmitter();
  const x = emit.input(
    { dtype: "float32", shape: [2, 3] },
    { role: "input", name: "x", requiresGrad: false, data: null },
  );
  const y = emit.op("Add", [x, x]);
  const z = emit.op("ReduceSum", [y, null], { keepdims: 0 });
  const [add, sum] = emit.nodes as [Node, Node];
  return { graph: { inputs: [x], nodes: emit.nodes, outputs: [z] }, add, sum };
}

const problemOf = (graph: Graph): string => {
  try {
    checkGraph(graph, inferNode);
    return "none";
  } catch (error) {
    // Numbers of values depend on what ran before.
    return (error as Error).message.replace(/value \d+/, "value N");
  }
};

test("accepts what the emitter makes", () => {
  expect(problemOf(graphOfTwo().graph)).toBe("none");
});

test("finds nodes out of order", () => {
  const { graph, add, sum } = graphOfTwo();
  expect(problemOf({ ...graph, nodes: [sum, add] })).toMatchInlineSnapshot(
    `"internal: node 0 (ReduceSum) uses value N, which nothing before defines"`,
  );
});

test("finds values that are made twice", () => {
  const { graph, add, sum } = graphOfTwo();
  expect(problemOf({ ...graph, nodes: [add, sum, add] })).toMatchInlineSnapshot(
    `"internal: node 2 (Add) defines value N again"`,
  );
});

test("finds types that the operator does not make", () => {
  const { graph, add, sum } = graphOfTwo();
  const wrong = { ...sum, attrs: { keepdims: 1 } };
  expect(problemOf({ ...graph, nodes: [add, wrong] })).toMatchInlineSnapshot(
    `"internal: node 1 (ReduceSum) makes float32[1, 1]; value N says float32[]"`,
  );
});

test("finds outputs that stand twice", () => {
  const { graph } = graphOfTwo();
  const outputs = [...graph.outputs, ...graph.outputs];
  expect(problemOf({ ...graph, outputs })).toMatchInlineSnapshot(
    `"internal: the graph's outputs have a value twice"`,
  );
});

test("finds operators that have no declaration", () => {
  const { graph, add, sum } = graphOfTwo();
  expect(problemOf({ ...graph, nodes: [add, { ...sum, op: "Foo" }] })).toMatchInlineSnapshot(
    `"No definition of the ONNX operator 'Foo'"`,
  );
});
