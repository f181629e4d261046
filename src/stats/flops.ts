/** Floating-point operations of a graph's forward pass, by its operators' own formulas. */
import type { Graph, Node } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { byName } from "../ops/defineOp.ts";
import { opNamed } from "../ops/registry.ts";

export const flopsOf = (graph: Graph): number =>
  graph.nodes
    .filter(({ origin }) => origin.direction === "forward")
    .reduce((sum, node) => sum + flopsOfNode(node), 0);

function flopsOfNode({ op, inputs, outputs, attrs }: Node): number {
  const def = opNamed(op);
  if (!def?.flops) return outputs.reduce((sum, { shape }) => sum + numel(shape), 0);
  const at = byName(def.inputs, inputs);
  return def.flops(at as never, outputs, { ...def.attrs, ...attrs } as never);
}
