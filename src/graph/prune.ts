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
export function valuesUsedBy(node: Node): Value[] {
  const used = node.inputs.filter((value) => value !== null);
  for (const attribute of Object.values(node.attrs))
    if (isGraph(attribute))
      used.push(...attribute.nodes.flatMap(valuesUsedBy), ...attribute.outputs);
  return used;
}
