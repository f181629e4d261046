/**
 * Blocks of a model whose blocks are no modules of their own: branches in a list that the model's
 * forward adds up, or modules whose `forward` is called without the call that makes it a module's.
 */
import type { Node, Value } from "../graph/graph.ts";
import { isFloat, sameShape } from "../graph/tensor.ts";
import type { Normalised } from "./normalised.ts";
import { stackOf } from "./stackOf.ts";

export interface LooseBlock {
  /** Of the list's part: "layers.0" of "layers.0.1.net". */
  readonly path: string;
  readonly input: Value;
  readonly output: Value;
  readonly nodes: readonly Node[];
}

interface Addition {
  readonly at: number;
  readonly skip: Value;
  readonly out: Value;
  /** Of the block. */
  readonly path: string;
}

/** `isCalled` says which modules ran, `isTaken` which have blocks already; both of a path. */
export function looseBlocks(
  forward: readonly Node[],
  found: Normalised,
  isCalled: (path: string) => boolean,
  isTaken: (path: string) => boolean,
): LooseBlock[] {
  const additions = findAdditions(forward, found, isCalled).filter(({ path }) => !isTaken(path));
  const stacks = neighbours(additions, stackOf);
  return stacks.flatMap((stack) => blocksOfStack(stack, forward, found));
}

/** What stands side by side and is of one key. */
function neighbours<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && keyOf(last[0]) === keyOf(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

function blocksOfStack(
  additions: readonly Addition[],
  forward: readonly Node[],
  found: Normalised,
): LooseBlock[] {
  const groups = neighbours(additions, ({ path }) => path);
  const isNormedAfter = groups.slice(1).every(([first]) => first && isNormed(first.skip));
  return groups.flatMap((group, at): LooseBlock[] => {
    const [first] = group;
    const last = group.at(-1);
    if (!first || !last) return [];
    const next = groups[at + 1]?.[0];
    const hidden = isNormedAfter && groups.length > 1 ? normAfter(last) : null;
    const output = next && isNormedAfter ? next.skip : (hidden ?? last.out);
    const input = at === 0 ? first.skip : (groups[at - 1]?.at(-1)?.out ?? first.skip);
    const start = isNormedAfter || at === 0 ? first.skip : input;
    const end = forward.findIndex((node) => node.outputs.includes(output));
    const before = forward.findIndex((node) => node.outputs.includes(first.skip));
    const from = (groups[at - 1]?.at(-1)?.at ?? before) + 1;
    return [{ path: first.path, input: start, output, nodes: forward.slice(from, end + 1) }];
  });

  function isNormed(value: Value): boolean {
    return found.normOf(found.baseOf(found.idOf(value))) !== null;
  }

  /** The norm of what an addition gives. */
  function normAfter({ at, out }: Addition): Value | null {
    const id = found.baseOf(found.idOf(out));
    const last = forward
      .slice(at + 1)
      .flatMap(({ outputs }) => outputs)
      .findLast((value) => found.normOf(found.idOf(value)) === id);
    return last ?? null;
  }
}

/** Sums of a value and of what a numbered module made of it. */
function findAdditions(
  forward: readonly Node[],
  found: Normalised,
  isCalled: (path: string) => boolean,
): Addition[] {
  const idOf = (value: Value): number => found.baseOf(found.idOf(value));
  const makers = new Map<number, number>();
  const additions: Addition[] = [];
  for (const [at, node] of forward.entries()) {
    const [out] = node.outputs;
    if (out && node.op === "Add" && isFloat(out.dtype) && out.shape.length >= 2) {
      const addition = additionAt(at, node, out);
      if (addition) additions.push(addition);
    }
    for (const value of node.outputs) if (!makers.has(idOf(value))) makers.set(idOf(value), at);
  }
  return additions;

  function additionAt(at: number, { inputs: [a, b], origin }: Node, out: Value): Addition | null {
    if (!a || !b || !sameShape(a.shape, b.shape) || found.isWeight(a) || found.isWeight(b))
      return null;
    for (const [skip, branch] of [
      [a, b],
      [b, a],
    ] as const) {
      const path = pathOfBranch(skip, branch, origin.call?.module ?? "");
      if (path !== null) return { at, skip, out, path };
    }
    return null;
  }

  /** Back from the branch to the skip path, or the stream that it is a norm of. */
  function pathOfBranch(skip: Value, branch: Value, adding: string): string | null {
    const ends = new Set([idOf(skip), found.normOf(idOf(skip)) ?? -1]);
    const first = makers.get(idOf(skip)) ?? -1;
    const seen = new Set<number>();
    const open = [branch];
    let reaches = false;
    let last = -1;
    for (let value = open.pop(); value; value = open.pop()) {
      const id = idOf(value);
      if (seen.has(id)) continue;
      seen.add(id);
      if (ends.has(id)) {
        reaches = true;
        continue;
      }
      const at = makers.get(id) ?? -1;
      const node = forward[at];
      if (!node || at < first) continue;
      if (node.op === "MatMul" || node.op === "Gemm") last = Math.max(last, at);
      open.push(...node.inputs.filter((input) => input !== null));
    }
    const module = reaches ? forward[last]?.origin.call?.module : null;
    return module ? blockPath(module, adding, isCalled) : null;
  }
}

/**
 * Up to the first number of a list below `adding`, the module whose forward adds; else up to the first
 * number. Lists are not called, which tells them from modules that run their parts in turn.
 */
function blockPath(
  module: string,
  adding: string,
  isCalled: (path: string) => boolean,
): string | null {
  const numbers = [...module.matchAll(/(^|\.)\d+(?=\.|$)/g)];
  const ofList = numbers.find(
    ({ index }) => index >= adding.length && !isCalled(module.slice(0, index)),
  );
  const number = module.startsWith(adding) && ofList ? ofList : numbers[0];
  return number ? module.slice(0, number.index + number[0].length) : null;
}
