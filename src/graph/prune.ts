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

/** The nodes that use each value, in their order; of what nothing uses there are none. */
export function usersIn(nodes: readonly Node[]): ReadonlyMap<Value, readonly Node[]> {
  const users = new Map<Value, Node[]>();
  for (const node of nodes)
    for (const value of new Set(valuesUsedBy(node))) {
      const known = users.get(value);
      if (known) known.push(node);
      else users.set(value, [node]);
    }
  return users;
}

/** A node's inputs and what the graphs within it take from outside. */
export function valuesUsedBy(node: Node): Value[] {
  const used = node.inputs.filter((value) => value !== null);
  for (const attribute of Object.values(node.attrs))
    if (isGraph(attribute))
      used.push(...attribute.nodes.flatMap(valuesUsedBy), ...attribute.outputs);
  return used;
}
