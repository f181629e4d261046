/** Axes of different values that are the same axis, through views that flatten and split them too. */
import type { Value } from "../graph/graph.ts";

/** An axis of a value, by its position from the front; negative: from the end. */
export type Axis = readonly [value: Value, at: number];

export interface Axes {
  join(a: Axis, b: Axis): void;
  /** What a view of the same elements in the same order leaves of the axes. */
  joinView(from: Value, to: Value): void;
  /** The same number for axes that are one. */
  classOf(axis: Axis): number;
}

export function createAxes(): Axes {
  const numbers = new Map<string, number>();
  const parents: number[] = [];
  /** By a class: the axes that it is the product of, as they lie in it. */
  const factors = new Map<number, readonly Axis[]>();

  function classOf([{ id, shape }, at]: Axis): number {
    const key = `${id}:${at < 0 ? at + shape.length : at}`;
    const known = numbers.get(key);
    if (known !== undefined) return rootOf(known);
    numbers.set(key, parents.length);
    parents.push(parents.length);
    return parents.length - 1;
  }

  function rootOf(of: number): number {
    let root = of;
    for (let next = parents[root]; next !== undefined && next !== root; next = parents[root])
      root = next;
    parents[of] = root;
    return root;
  }

  function join(a: Axis, b: Axis): void {
    const [own, other] = [classOf(a), classOf(b)];
    if (own === other) return;
    const parts = factors.get(own);
    parents[own] = other;
    if (parts) joinParts(other, parts);
  }

  /** A class is a product of these axes; of the same ones as before, if it was one already. */
  function joinParts(whole: number, parts: readonly Axis[]): void {
    const known = factors.get(whole);
    if (known === undefined) factors.set(whole, parts);
    else if (sizesOf(known) === sizesOf(parts))
      for (const [at, part] of parts.entries()) join(part, known[at] as Axis);
  }

  return {
    join,
    joinView(from, to) {
      for (const [own, other] of groups(axesOf(from), axesOf(to))) {
        const [one, another] = [own[0], other[0]];
        if (!one || !another) continue;
        if (own.length === 1 && other.length === 1) join(one, another);
        else if (own.length === 1) joinParts(classOf(one), other);
        else if (other.length === 1) joinParts(classOf(another), own);
      }
    },
    classOf,
  };
}

const sizeOf = ([{ shape }, at]: Axis): number => shape.at(at) ?? 1;
const sizesOf = (axes: readonly Axis[]): string => axes.map(sizeOf).join("x");

/** An axis of one element takes no part in a view. */
const axesOf = (value: Value): Axis[] =>
  value.shape.flatMap((size, at): Axis[] => (size === 1 ? [] : [[value, at]]));

/** The shortest runs of axes of both sides that hold as many elements, side by side. */
function groups(from: readonly Axis[], to: readonly Axis[]): [Axis[], Axis[]][] {
  const found: [Axis[], Axis[]][] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    const group: [Axis[], Axis[]] = [[], []];
    let [left, right] = [0, 0];
    do {
      const isLeft = left <= right && i < from.length;
      const next = isLeft ? from[i++] : to[j++];
      if (next === undefined) return found;
      group[isLeft ? 0 : 1].push(next);
      if (isLeft) left = Math.max(left, 1) * sizeOf(next);
      else right = Math.max(right, 1) * sizeOf(next);
    } while (left !== right);
    found.push(group);
  }
  return found;
}
