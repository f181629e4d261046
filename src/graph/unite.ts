/** Several graphs over the same inputs as one. */
import type { Graph } from "./graph.ts";

/**
 * Nodes that several of them have are there once. Each graph's nodes stand in execution order, and
 * what a later one shares with an earlier one needs nothing else of the later.
 */
export function unite(graphs: readonly Graph[]): Graph {
  return {
    inputs: [...new Set(graphs.flatMap(({ inputs }) => inputs))],
    nodes: [...new Set(graphs.flatMap(({ nodes }) => nodes))],
    outputs: [...new Set(graphs.flatMap(({ outputs }) => outputs))],
  };
}
