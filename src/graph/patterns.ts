/** Recognises constants that a formula gives at any size: filled, counting, and triangular arrays. */
import { contiguousStrides, type HostArray } from "./tensor.ts";

export type Pattern = Filled | Counting | Triangular;

export interface Filled {
  readonly kind: "filled";
  readonly value: number;
}

/** start + Σ steps[axis] · index[axis], as arange and differences of positions are. */
export interface Counting {
  readonly kind: "counting";
  readonly start: number;
  readonly steps: readonly number[];
}

/** `inside` where column − row ≤ diagonal (of the last two axes), else `outside`: causal masks. */
export interface Triangular {
  readonly kind: "triangular";
  readonly diagonal: number;
  readonly inside: number;
  readonly outside: number;
}

/** null: none of them. Steps along axes of size 1 are 0. */
export function findPattern(array: HostArray): Pattern | null {
  if (array.data.length === 0) return null;
  return findFilled(array) ?? findCounting(array) ?? findTriangular(array);
}

function findFilled({ data }: HostArray): Filled | null {
  const value = data[0] as number;
  return data.every((x) => Object.is(x, value)) ? { kind: "filled", value } : null;
}

function findCounting({ data, shape, dtype }: HostArray): Counting | null {
  if (dtype === "bool") return null;
  const strides = contiguousStrides(shape);
  const start = data[0] as number;
  const steps = strides.map((stride, axis) =>
    shape[axis] === 1 ? 0 : (data[stride] as number) - start,
  );
  for (let at = 0; at < data.length; at++) {
    let expected = start;
    for (const [axis, stride] of strides.entries())
      expected += (steps[axis] as number) * (Math.floor(at / stride) % (shape[axis] as number));
    if (data[at] !== expected) return null;
  }
  return { kind: "counting", start, steps };
}

function findTriangular({ data, shape }: HostArray): Triangular | null {
  const [rows = 0, columns = 0] = shape.slice(-2);
  if (shape.length < 2 || data.length !== rows * columns) return null;
  // The lower left corner is inside, the upper right one outside.
  const inside = data[(rows - 1) * columns] as number;
  const outside = data[columns - 1] as number;
  if (Object.is(inside, outside)) return null;
  let diagonal = -rows;
  for (let at = 0; at < data.length; at++)
    if (Object.is(data[at], inside)) diagonal = Math.max(diagonal, offsetOf(at, columns));
  for (let at = 0; at < data.length; at++) {
    const expected = offsetOf(at, columns) <= diagonal ? inside : outside;
    if (!Object.is(data[at], expected)) return null;
  }
  return { kind: "triangular", diagonal, inside, outside };
}

const offsetOf = (at: number, columns: number): number => (at % columns) - Math.floor(at / columns);
