/** Parts of a graph that are run once more, on another value. */
import type { Node, Value } from "../graph/graph.ts";
import { valuesUsedBy } from "../graph/prune.ts";
import type { Emitter } from "../ops/emitter.ts";

/** Those of `nodes`, in execution order, whose results depend on `value`. */
export function dependents(nodes: readonly Node[], value: Value): Node[] {
  const reached = new Set([value.id]);
  return nodes.filter((node) => {
    if (!valuesUsedBy(node).some(({ id }) => reached.has(id))) return false;
    for (const { id } of node.outputs) reached.add(id);
    return true;
  });
}

/** Writes `nodes` again with `other` in the place of `value`; gives the new results by the old ids. */
export const rerun = (
  emit: Emitter,
  nodes: Iterable<Node>,
  value: Value,
  other: Value,
): ReadonlyMap<number, Value> => rerunAll(emit, nodes, new Map([[value.id, other]]));

/** The same with `others` by the ids of what they stand for. */
export function rerunAll(
  emit: Emitter,
  nodes: Iterable<Node>,
  others: ReadonlyMap<number, Value>,
): ReadonlyMap<number, Value> {
  const copies = new Map(others);
  for (const { op, inputs, attrs, outputs } of nodes) {
    const given = inputs.map((input) => input && (copies.get(input.id) ?? input));
    const made = emit.ops(op, given, attrs, outputs.length);
    for (const [at, { id }] of outputs.entries()) {
      const copy = made[at];
      if (copy) copies.set(id, copy);
    }
  }
  return copies;
}
