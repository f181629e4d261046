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

/** What a moving average is made of. */
const smoothing: ReadonlySet<string> = new Set([
  ...["AveragePool", "Concat", "Slice", "Transpose", "Reshape", "Squeeze", "Unsqueeze"],
  ...["Tile", "Expand", "Pad", "Identity", "Gather"],
]);

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

/**
 * `nodes` are the block's, in execution order. Where the sums that begin at its input do not lead to
 * its output, a norm of the stream that is added to something is taken for a part of a branch (RWKV
 * mixes it with that of the token before); and then the stream is looked for behind the input, where
 * attention or a linear map gave what the sums begin with (the first of SAM's two-way blocks).
 */
export function followStream(
  nodes: readonly Node[],
  input: Value,
  output: Value,
  found: Normalised,
): ResidualPath {
  const path = follow(nodes, input, output, found, true);
  const isKnown = (one: ResidualPath): boolean => one.adds.length > 0 && one.end !== "other";
  if (path.adds.length === 0 || isKnown(path)) return path;
  const plain = follow(nodes, input, output, found, false);
  if (isKnown(plain)) return plain;
  const starts = nodes.flatMap(({ op, outputs: [out] }) =>
    products.has(op) && out && sameShape(out.shape, input.shape) ? [out] : [],
  );
  const later = starts
    .slice(0, mostStarts)
    .map((start) => follow(nodes, start, output, found, true));
  return later.find(isKnown) ?? path;
}

const products: ReadonlySet<string> = new Set(["MatMul", "Gemm", "Add"]);
const mostStarts = 32;

/** Sums of a stream that begins at `input`. `takesNorms`: whether a norm of the stream may be what is added to. */
function follow(
  nodes: readonly Node[],
  input: Value,
  output: Value,
  found: Normalised,
  takesNorms: boolean,
): ResidualPath {
  const { normOf, isWeight } = found;
  /** What the stream was cut into, or made smoother than, and is the stream all the same. */
  const same = new Map<number, number>();
  /** A multiple of the stream is the stream. */
  const idOf = (value: Value): number => {
    const id = found.baseOf(found.idOf(value));
    return same.get(id) ?? id;
  };
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
    const kept = keptBy(node, out);
    if (kept !== null) same.set(found.baseOf(found.idOf(out)), kept);
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
    return id === current || (takesNorms && normOf(id) === current);
  }

  /**
   * The stream, or the norm of it, whose place a value takes: pieces of it that are joined again, one of
   * them with a sum of its own (TimeXer's global token), or what is left of it without its moving
   * average (the series decomposition of Autoformer). null: something else.
   */
  function keptBy({ op, inputs }: Node, out: Value): number | null {
    const [whole, part] = inputs;
    if (!sameShape(out.shape, input.shape) || !whole || !part) return null;
    if (op === "Sub" && isStream(whole) && isSmoothed(part, idOf(whole))) return idOf(whole);
    if (op !== "Concat") return null;
    const pieces = inputs.flatMap((value) => {
      const cut = value ? producers.get(idOf(value)) : undefined;
      const [from] = cut?.inputs ?? [];
      return cut?.op === "Slice" && from && sameShape(from.shape, out.shape) ? [from] : [];
    });
    const [from] = pieces;
    return from && isStream(from) ? idOf(from) : null;
  }

  /** Whether a value is made of the stream by averages over its neighbours alone. */
  function isSmoothed(value: Value, of: number): boolean {
    let isAverage = false;
    const seen = new Set<number>();
    const open = [value];
    for (let one = open.pop(); one; one = open.pop()) {
      const id = idOf(one);
      if (id === of || seen.has(id)) continue;
      seen.add(id);
      const node = producers.get(id);
      if (!node || !smoothing.has(node.op)) return false;
      isAverage ||= node.op === "AveragePool";
      for (const given of node.inputs) if (given && derived.has(idOf(given))) open.push(given);
    }
    return isAverage;
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
