/**
 * Which values can hold exact zeros, and in which pattern, so that only those are counted. Not looked
 * for: a zero by chance, where unequal terms cancel to the last bit (about one element in 10⁷).
 */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import { findReach } from "./constantsReach.ts";
import { anywhere, columns, nowhere, rows, some, type Zeros } from "./zeroPatterns.ts";
import { type Context, isDrawn, rules } from "./zeroRules.ts";

/**
 * `measured` has what is known of a value's numbers; it is asked before the operator's rule is. For
 * `staysAbove` see Context.
 */
export function findZeros(
  graph: Graph,
  measured: (value: Value) => Zeros | null = () => null,
  staysAbove: Context["staysAbove"] = () => false,
): (value: Value) => Zeros {
  const found = new Map<number, Zeros>();
  const producers = new Map<number, Node>();
  const zerosOf = (value: Value): Zeros => {
    const zeros = found.get(value.id);
    if (zeros !== undefined) return zeros;
    const own = measured(value) ?? zerosOfSource(value);
    found.set(value.id, own);
    return own;
  };
  const context: Context = {
    zerosOf,
    mayBeZero: (value) =>
      value.role === "parameter" &&
      value.shape.length <= 1 &&
      (measured(value) ?? anywhere) === anywhere,
    isLow: findReach(graph, (x) => x <= -1e3),
    producerOf: (value) => producers.get(value.id) ?? null,
    staysAbove,
  };
  for (const node of graph.nodes) {
    const zeros = (rules[node.op] ?? (() => anywhere))(node, context);
    for (const value of node.outputs) {
      producers.set(value.id, node);
      const own = isFloat(value.dtype) ? zeros : anywhere;
      found.set(value.id, measured(value) ?? (isDrawn(node) ? own | rows : own));
    }
  }
  return zerosOf;
}

/** Weights are taken to be full until they are measured. */
function zerosOfSource({ role, data, shape }: Value): Zeros {
  if (role === "parameter") return nowhere;
  if (data === null) return anywhere;
  const row = shape.at(-1) ?? 1;
  let zeros = nowhere;
  for (let from = 0; from < data.length; from += row) {
    let inRow = 0;
    for (let i = from; i < from + row; i++) if (data[i] === 0) inRow++;
    if (inRow === row) return anywhere;
    if (inRow > 0) zeros = some | columns;
  }
  return zeros;
}
