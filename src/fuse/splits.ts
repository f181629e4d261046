/** Parts of parts, cut out at once. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import type { Emitter } from "../ops/emitter.ts";
import { type Uses, usesOf } from "./rewriting.ts";

/** Graphs for all providers divide in several steps: not all of them write many tensors at once. */
export function fuseSplits(emit: Emitter, graph: Graph): Graph {
  const uses = usesOf(graph);
  const within = new Set<Node>();
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    if (within.has(node)) return [];
    const parts = node.op === "Split" ? partsOf(node, uses, within) : node.outputs;
    if (parts.length === node.outputs.length) return [node];
    const axis = axisOf(node);
    const sizes = emit.ints(parts.map(({ shape }) => shape[axis] as number));
    return [{ ...node, inputs: [node.inputs[0] ?? null, sizes], outputs: parts }];
  });
  return { ...graph, nodes };
}

/** What is cut out in the end; `within` gets the nodes that cut parts. */
function partsOf(node: Node, uses: Uses, within: Set<Node>): readonly Value[] {
  return node.outputs.flatMap((part) => {
    const user = uses.onlyUserOf(part);
    if (user?.op !== "Split" || axisOf(user) !== axisOf(node)) return [part];
    within.add(user);
    return partsOf(user, uses, within);
  });
}

const axisOf = ({ attrs }: Node): number => Number(attrs["axis"] ?? 0);
