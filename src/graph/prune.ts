/** Graph → the same graph without the nodes that no output needs, in the same order. */
import type { Graph, Node, Value } from "./graph.ts";
import { isGraph } from "./onnxProto.ts";

export function prune(graph: Graph): Graph {
  const needed = new Set<Value>(graph.outputs);
  const kept: Node[] = [];
  for (const node of graph.nodes.toReversed()) {
    if (!node.outputs.some((value) => needed.has(value))) continue;
    kept.push(node);
    for (const value of valuesUsedBy(node)) needed.add(value);
  }
  return { ...graph, nodes: kept.reverse() };
}

/** A node's inputs and what the graphs within it take from outside. */
export function* valuesUsedBy(node: Node): Iterable<Value> {
  for (const value of node.inputs) if (value !== null) yield value;
  for (const attribute of Object.values(node.attrs)) {
    if (!isGraph(attribute)) continue;
    for (const inner of attribute.nodes) yield* valuesUsedBy(inner);
    yield* attribute.outputs;
  }
}
