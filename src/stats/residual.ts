/** The residual stream through one call of a block: where something is added to it, and what. */
import type { Node, Site, Value } from "../graph/graph.ts";
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
  /** Whether the branch reads the stream as it was before the addition before this one. */
  readonly readsEarlier: boolean;
  readonly site: Site | null;
}

/** What an addition of a block gives; null: none of `nodes` makes it. */
export const sumOf = (
  nodes: readonly Node[],
  { skip, branch }: Pick<ResidualAdd, "skip" | "branch">,
): Value | null =>
  nodes.find(({ inputs }) => inputs.includes(skip) && inputs.includes(branch))?.outputs[0] ?? null;

export interface ResidualPath {
  readonly adds: readonly ResidualAdd[];
  /** How the last sum leaves the block: as it is, through a norm, through an activation, or otherwise. */
  readonly end: "raw" | "normed" | "activated" | "other";
  /** Whether several branches read the same stream. */
  readonly isParallel: boolean;
}

/** What activations are made of. */
const pointwise = new Set([
  ...[
    "Relu",
    "LeakyRelu",
    "PRelu",
    "Elu",
    "Celu",
    "Selu",
    "Gelu",
    "Mish",
    "HardSwish",
    "HardSigmoid",
  ],
  ...["Sigmoid", "Softplus", "Tanh", "Erf", "Exp", "Pow", "Clip", "Min", "Max", "Where", "Cast"],
  ...["Add", "Sub", "Mul", "Div", "Neg", "Identity"],
]);

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
    const entries = entriesOf(idOf(branch));
    adds.push({
      skip,
      branch,
      skipIsNormed,
      startsWithNorm: entries.length > 0 && entries.every(({ isNormed }) => isNormed),
      endsWithNorm: normOf(idOf(branch)) !== null,
      readsEarlier: adds.length > 0 && entries.every(({ of }) => of !== current && of !== skipId),
      site: node.origin.call?.site ?? null,
    });
    current = idOf(out);
    streams.add(current);
  }
  const isSplit = adds.some(({ branch }) => isSumOfBranches(idOf(branch)));
  const isParallel = isSplit || adds.some(({ readsEarlier }) => readsEarlier);
  return { adds, end: endOf(idOf(output)), isParallel };

  function isStream(value: Value): boolean {
    const id = idOf(value);
    return id === current || normOf(id) === current;
  }

  function isBranch(value: Value): boolean {
    return !isWeight(value) && derived.has(idOf(value)) && !streams.has(idOf(value));
  }

  /** Backwards from the branch's end: where each way into it takes the stream, or a norm of it. */
  function entriesOf(branch: number): { of: number; isNormed: boolean }[] {
    const seen = new Set<number>();
    const open = [branch];
    const entries: { of: number; isNormed: boolean }[] = [];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id) || !derived.has(id)) continue;
      seen.add(id);
      const of = normOf(id);
      if (streams.has(id)) entries.push({ of: id, isNormed: false });
      else if (of !== null && streams.has(of)) entries.push({ of, isNormed: true });
      else for (const value of producers.get(id)?.inputs ?? []) if (value) open.push(idOf(value));
    }
    return entries;
  }

  /** x + (a + b), where one of both is made by attention and the other is not. */
  function isSumOfBranches(branch: number): boolean {
    const node = producers.get(branch);
    if (node?.op !== "Add") return false;
    const parts = node.inputs.filter((value) => value !== null && derived.has(idOf(value)));
    return (
      parts.length === 2 && parts.filter((value) => value && attends(idOf(value))).length === 1
    );
  }

  /** Whether a product of two values that come from the stream is on the way. */
  function attends(start: number): boolean {
    const seen = new Set<number>();
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id) || streams.has(id)) continue;
      seen.add(id);
      const node = producers.get(id);
      const isProduct = node?.op === "MatMul" || node?.op === "Gemm";
      if (isProduct && node.inputs.every((value) => value && derived.has(idOf(value)))) return true;
      for (const value of node?.inputs ?? [])
        if (value && derived.has(idOf(value))) open.push(idOf(value));
    }
    return false;
  }

  function endOf(id: number): ResidualPath["end"] {
    if (id === current) return "raw";
    if (normOf(id) === current) return "normed";
    return isActivated(id) ? "activated" : "other";
  }

  /** Whether all that the value is made of is the stream, number by number. */
  function isActivated(start: number): boolean {
    const seen = new Set<number>();
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id) || id === current) continue;
      seen.add(id);
      const node = producers.get(id);
      if (!node || !pointwise.has(node.op)) return false;
      for (const value of node.inputs)
        if (value && derived.has(idOf(value))) open.push(idOf(value));
    }
    return true;
  }
}
