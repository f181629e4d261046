/** Which node makes a value, and which nodes read it, up to the order of the elements. */
import type { Node, Value } from "../graph/graph.ts";
import { valuesUsedBy } from "../graph/prune.ts";
import type { SourceOf } from "./sources.ts";

export interface Producers {
  /** The node that makes the numbers of a value, whatever their order; null: no node does. */
  makerOf(value: Value): Node | null;
  /** The node that gives a value itself, by the value's id. */
  readonly makers: ReadonlyMap<number, Node>;
  /** The nodes that read a value itself. */
  readersOf(value: Value): readonly Node[];
  /** Where in the execution order a node stands. */
  indexOf(node: Node): number;
}

export function findProducers(nodes: readonly Node[], sourceOf: SourceOf): Producers {
  const makers = new Map<number, Node>();
  const readers = new Map<number, Node[]>();
  const order = new Map<Node, number>();
  for (const [at, node] of nodes.entries()) {
    order.set(node, at);
    for (const { id } of node.outputs) makers.set(id, node);
    for (const input of new Set(node.inputs)) {
      if (input === null) continue;
      const list = readers.get(input.id);
      if (list) list.push(node);
      else readers.set(input.id, [node]);
    }
  }
  return {
    makerOf: (value) => makers.get(sourceOf(value).value.id) ?? null,
    makers,
    readersOf: ({ id }) => readers.get(id) ?? [],
    indexOf: (node) => order.get(node) ?? -1,
  };
}

/** The ids of all that the nodes give. */
export const idsMadeBy = (nodes: readonly Node[]): Set<number> =>
  new Set(nodes.flatMap(({ outputs }) => outputs.map(({ id }) => id)));

/** The ids of all that a value is computed of, its own among them; `nodes` in execution order. */
export function neededFor(nodes: readonly Node[], value: Value): ReadonlySet<number> {
  const needed = new Set([value.id]);
  for (const node of nodes.toReversed())
    if (node.outputs.some(({ id }) => needed.has(id)))
      for (const { id } of valuesUsedBy(node)) needed.add(id);
  return needed;
}
