/**
 * The layout of what torch.einsum gives: operands are multiplied from left to right, by a batched
 * matrix product (batch axes, then those of the left, then those of the right) where axes are summed.
 */
import { contiguousStrides } from "../../graph/tensor.ts";
import type { Laid } from "../tensor.ts";
import { iteratedStrides } from "./strides.ts";

export interface Labelled extends Laid {
  readonly labels: readonly string[];
}

/** null: row by row. */
export function contractedStrides(
  operands: readonly Labelled[],
  output: readonly string[],
): readonly number[] | null {
  const [first, ...rest] = operands;
  if (first === undefined || operands.some(({ labels }) => new Set(labels).size < labels.length))
    return null;
  if (rest.length === 0) return null;
  const made = rest.reduce((left, right, at) => {
    const later = new Set([...output, ...rest.slice(at + 1).flatMap(({ labels }) => labels)]);
    return ofPair(left, right, output, later);
  }, first);
  return permutedTo(output, made).strides;
}

/** Each label once, along the diagonal of its axes. */
export function onDiagonal({ shape, strides }: Laid, labels: readonly string[]): Labelled {
  const once = [...new Set(labels)];
  const stepOf = (label: string) =>
    labels.reduce((sum, it, axis) => (it === label ? sum + (strides[axis] as number) : sum), 0);
  return {
    labels: once,
    shape: once.map((label) => shape[labels.indexOf(label)] as number),
    strides: once.map(stepOf),
  };
}

/** The axes in another order; those that it does not have are of one place. */
export function permutedTo(labels: readonly string[], operand: Labelled): Labelled {
  const places = labels.map((label) => operand.labels.indexOf(label));
  const sizes = places.map((place) => operand.shape[place] ?? 1);
  return { labels, shape: sizes, strides: places.map((place) => operand.strides[place] ?? 0) };
}

export function ofPair(
  a: Labelled,
  b: Labelled,
  output: readonly string[],
  later: ReadonlySet<string>,
): Labelled {
  const summed = a.labels.filter((label) => !later.has(label) && b.labels.includes(label));
  const all = [
    ...output,
    ...[...new Set([...a.labels, ...b.labels])].filter((it) => !output.includes(it)),
  ];
  const kept = all.filter(
    (label) => later.has(label) && (a.labels.includes(label) || b.labels.includes(label)),
  );
  const sizeOf = (label: string) =>
    Math.max(...[a, b].map(({ labels, shape }) => shape[labels.indexOf(label)] ?? 1));
  if (summed.length === 0) {
    const shape = kept.map(sizeOf);
    const sides = [permutedTo(kept, a), permutedTo(kept, b)];
    return { labels: kept, shape, strides: iteratedStrides(shape, sides) };
  }
  const isWide = ({ labels, shape }: Labelled, label: string) =>
    (shape[labels.indexOf(label)] ?? 1) > 1;
  const both = kept.filter((label) => isWide(a, label) && isWide(b, label));
  const left = kept.filter((label) => isWide(a, label) && !isWide(b, label));
  const right = kept.filter((label) => !isWide(a, label));
  // The sides change places where the result would have to be turned over as a whole.
  const place = (label: string) => kept.indexOf(label);
  const isTurned =
    right.length > 0 &&
    left.length > 0 &&
    left.every((l) => right.every((r) => place(r) < place(l)));
  const order = isTurned ? [...both, ...right, ...left] : [...both, ...left, ...right];
  const sizes = order.map(sizeOf);
  return { labels: order, shape: sizes, strides: contiguousStrides(sizes) };
}
