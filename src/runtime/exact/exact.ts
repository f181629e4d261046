/**
 * Operators that are computed in several steps so that they keep the digits which PyTorch's kernels
 * keep. Only what is run is written so: the graph that is told of, and exported, has the operator.
 */
import type { Graph, Node, Value } from "../../graph/graph.ts";
import { emptyMean } from "./emptyMean.ts";
import { emptyProduct } from "./emptyProduct.ts";
import { maxPoolOfNaN } from "./maxPool.ts";
import { rowMean } from "./rowMean.ts";
import { shortRows } from "./shortRows.ts";
import { exactSigmoids } from "./sigmoid.ts";
import { tanhRest } from "./tanhRest.ts";

/** A value of a node that only the encoded graph has, or a constant. */
export type CreateValue = (like: Value, fields?: Partial<Value>) => Value;

/** The steps in place of a node, the last of which gives its output; null: it stays. */
export type Rewrite = (node: Node, createValue: CreateValue) => readonly Node[] | null;

export function withExactSteps(graph: Graph): Graph {
  const { nodes: given } = graph;
  const rules = [
    ...[emptyProduct, emptyMean, rowMean, shortRows, maxPoolOfNaN],
    ...[exactSigmoids(given), tanhRest(given)],
  ].filter((rule) => rule !== null);
  // A fraction is the number of no value that an emitter made.
  let id = 0.5;
  const createValue: CreateValue = (like, fields = {}) => ({
    ...like,
    id: id++,
    role: "node",
    data: null,
    ...fields,
  });
  const nodes = given.flatMap((node) => {
    for (const rule of rules) {
      const steps = rule(node, createValue);
      if (steps !== null) return steps;
    }
    return [node];
  });
  return { ...graph, nodes };
}
