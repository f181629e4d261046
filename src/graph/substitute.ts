/** Nodes → the same nodes reading other values in the place of some. */
import type { Attribute, Graph, Node, Value } from "./graph.ts";
import { isGraph } from "./onnxProto.ts";

/** Nodes that read none of `by`'s keys stay the same objects. */
export function substitute(nodes: readonly Node[], by: ReadonlyMap<Value, Value>): Node[] {
  const of = (value: Value): Value => by.get(value) ?? value;
  const inGraph = (graph: Graph): Graph => ({
    ...graph,
    nodes: substitute(graph.nodes, by),
    outputs: graph.outputs.map(of),
  });
  return nodes.map((node) => {
    const hasGraph = Object.values(node.attrs).some(isGraph);
    const isRead = node.inputs.some((value) => value !== null && by.has(value));
    if (!hasGraph && !isRead) return node;
    const inputs = node.inputs.map((value) => value && of(value));
    const attrs = Object.fromEntries(
      Object.entries(node.attrs).map(([name, attribute]): [string, Attribute] => [
        name,
        isGraph(attribute) ? inGraph(attribute) : attribute,
      ]),
    );
    return { ...node, inputs, attrs };
  });
}
