/**
 * What makes ONNX Runtime start fast and run a graph's nodes in their own order. Its executor goes
 * depth first from the nodes that nobody uses, the last one first: statistics written where they
 * belong would all be computed at the end, and every value kept in memory until then.
 */
import type { Node, Value } from "./graph.ts";
import { valuesUsedBy } from "./prune.ts";
import { isHalf, numel } from "./tensor.ts";

/** Where an output is found that was packed with others. */
export interface Packed {
  readonly pack: Value;
  readonly index: number;
}

/** More in one pack keep values alive longer, fewer leave more outputs. */
const packSize = 64;

/**
 * Outputs of one element (rank 1 or more, used by no node) are concatenated: the time to create a
 * session grows with nodes × outputs.
 */
export function packOutputs(
  nodes: readonly Node[],
  outputs: readonly Value[],
): { readonly nodes: readonly Node[]; readonly packed: ReadonlyMap<Value, Packed> } {
  const used = usedValues(nodes);
  const wanted = new Set(
    outputs.filter(
      (value) =>
        value.shape.length > 0 &&
        numel(value.shape) === 1 &&
        !isHalf(value.dtype) &&
        !used.has(value),
    ),
  );
  const packed = new Map<Value, Packed>();
  const all: Node[] = [];
  // Packs of all types are closed together, so that none waits long for its last member.
  let open = new Map<string, Value[]>();
  let waiting = 0;
  let nextId = -1;

  const close = (): void => {
    for (const members of open.values()) {
      const [first] = members;
      if (first === undefined || members.length === 1) continue;
      const shape = [members.length, ...first.shape.slice(1)];
      const pack: Value = { ...first, id: nextId--, shape };
      all.push({
        op: "Concat",
        inputs: members,
        outputs: [pack],
        attrs: { axis: 0 },
        origin: { direction: "statistic", call: null, group: null },
      });
      for (const [index, value] of members.entries()) packed.set(value, { pack, index });
    }
    open = new Map();
    waiting = 0;
  };

  for (const node of nodes) {
    all.push(node);
    for (const value of node.outputs) {
      if (!wanted.has(value)) continue;
      const type = `${value.dtype} ${value.shape.length}`;
      open.set(type, [...(open.get(type) ?? []), value]);
      waiting++;
    }
    if (waiting >= packSize) close();
  }
  close();
  return { nodes: all, packed };
}

/**
 * The order in which to write nodes for a run; no valid order for a file. Statistics and other ends
 * come first, backwards: depth first from the last of them is the graph's own order. The others
 * keep their order: each session sorts the nodes by a list of those that are ready, which must
 * stay short.
 */
export function inRunOrder(nodes: readonly Node[]): Node[] {
  const used = usedValues(nodes);
  const isSide = (node: Node): boolean =>
    node.origin.direction === "statistic" || !node.outputs.some((value) => used.has(value));
  return [...nodes.filter(isSide).reverse(), ...nodes.filter((node) => !isSide(node))];
}

function usedValues(nodes: readonly Node[]): Set<Value> {
  const used = new Set<Value>();
  for (const node of nodes) for (const value of valuesUsedBy(node)) used.add(value);
  return used;
}
