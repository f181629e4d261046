/** Runs a graph on the host: slow, and at once. */
import { invariant } from "../../src/errors.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import type { HostArray } from "../../src/graph/tensor.ts";
import { evaluateNode } from "../../src/ops/evaluateNode.ts";

/** The numbers of its outputs, by value id. */
export function runOnHost(graph: Graph): Map<number, HostArray> {
  const made = new Map<number, HostArray>();
  const numbersOf = (value: Value): HostArray => {
    const array = made.get(value.id) ?? (value.data ? (value as HostArray) : null);
    invariant(array, `value ${value.id} is not known`);
    return array;
  };
  for (const node of graph.nodes) {
    const outputs = evaluateNode(node, numbersOf);
    node.outputs.forEach((value, at) => {
      made.set(value.id, outputs?.[at] as HostArray);
    });
  }
  return new Map(graph.outputs.map((value) => [value.id, numbersOf(value)]));
}
