/** The residual stream through one call of a block: where something is added to it, and what. */
import type { Node, Value } from "../graph/graph.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Normalised } from "./normalised.ts";

export interface ResidualAdd {
  /** What the branch is added to. */
  readonly skip: Value;
  readonly branch: Value;
  /** Whether the skip path itself went through a norm since the last addition. */
  readonly skipIsNormed: boolean;
  /** Whether all that the branch reads of the stream comes through a norm. */
  readonly startsWithNorm: boolean;
  /** Whether the branch's result is normalised before it is added. */
  readonly endsWithNorm: boolean;
}

export interface ResidualPath {
  readonly adds: readonly ResidualAdd[];
  /** How the last sum leaves the block: as it is, through a norm, or otherwise. */
  readonly end: "raw" | "normed" | "other";
}

/** `nodes` are the block's, in execution order. */
export function followStream(
  nodes: readonly Node[],
  input: Value,
  output: Value,
  found: Normalised,
): ResidualPath {
  const { normOf, isWeight } = found;
  /** A multiple of the stream is the stream. */
  const idOf = (value: Value): number => found.baseOf(found.idOf(value));
  const adds: ResidualAdd[] = [];
  const producers = new Map<number, Node>();
  const derived = new Set([idOf(input)]);
  const streams = new Set([idOf(input)]);
  let current = idOf(input);

  for (const node of nodes) {
    const given = node.inputs.filter((value) => value !== null);
    const [out] = node.outputs;
    if (!out || !given.some((value) => derived.has(idOf(value)))) continue;
    for (const value of node.outputs) {
      derived.add(idOf(value));
      if (!producers.has(idOf(value))) producers.set(idOf(value), node);
    }
    if (node.op !== "Add" && node.op !== "Sum") continue;
    const skip = given.find((value) => isStream(value) && sameShape(value.shape, out.shape));
    const branch = given.find((value) => value !== skip && isBranch(value));
    if (!skip || !branch) continue;
    const skipId = idOf(skip);
    const skipIsNormed = normOf(skipId) === current;
    if (skipIsNormed) streams.add(skipId);
    adds.push({
      skip,
      branch,
      skipIsNormed,
      startsWithNorm: readsNorms(idOf(branch)),
      endsWithNorm: normOf(idOf(branch)) !== null,
    });
    current = idOf(out);
    streams.add(current);
  }
  return { adds, end: endOf(idOf(output)) };

  function isStream(value: Value): boolean {
    const id = idOf(value);
    return id === current || normOf(id) === current;
  }

  function isBranch(value: Value): boolean {
    return !isWeight(value) && derived.has(idOf(value)) && !streams.has(idOf(value));
  }

  /** Backwards from the branch's end: each way into it begins with a norm of the stream. */
  function readsNorms(branch: number): boolean {
    const seen = new Set<number>();
    const open = [branch];
    let entries = 0;
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id) || !derived.has(id)) continue;
      seen.add(id);
      if (streams.has(id)) return false;
      const of = normOf(id);
      if (of !== null && streams.has(of)) entries++;
      else for (const value of producers.get(id)?.inputs ?? []) if (value) open.push(idOf(value));
    }
    return entries > 0;
  }

  function endOf(id: number): ResidualPath["end"] {
    if (id === current) return "raw";
    return normOf(id) === current ? "normed" : "other";
  }
}
