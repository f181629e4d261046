/** A constant of two traces that differ in size → nodes that compute it at any size. */
import type { Node, Value } from "./graph.ts";
import { findPattern } from "./patterns.ts";
import { fixed, type Size, type SizeNodes } from "./sizeNodes.ts";
import { type HostArray, isFloat, isInteger, sameShape } from "./tensor.ts";

/** What is `a` in the first trace and `b` in the second; null: no expression gives both. */
export type SizeOf = (a: number, b: number) => Size | null;

/** null: the two follow no known rule. */
export function freeConstant(
  a: HostArray,
  b: HostArray,
  sizeOf: SizeOf,
  nodes: SizeNodes,
): Value | null {
  if (isInteger(a.dtype) && a.shape.length <= 1 && sameShape(a.shape, b.shape)) {
    const value = freeIntegers(a, b, sizeOf, nodes);
    if (value !== null) return value;
  }
  if (a.shape.length === 0) return freeFloat(a, b, sizeOf, nodes);
  return freeArray(a, b, sizeOf, nodes);
}

function freeIntegers(a: HostArray, b: HostArray, sizeOf: SizeOf, nodes: SizeNodes): Value | null {
  const sizes = allSizes(Array.from(a.data), Array.from(b.data), sizeOf);
  if (sizes === null) return null;
  const [only] = sizes;
  const value = a.shape.length === 0 && only ? nodes.scalar(only) : nodes.shape(sizes);
  return nodes.cast(value, a.dtype, a.shape.map(fixed));
}

function freeArray(a: HostArray, b: HostArray, sizeOf: SizeOf, nodes: SizeNodes): Value | null {
  const sizes = allSizes(a.shape, b.shape, sizeOf);
  const [inA, inB] = [findPattern(a), findPattern(b)];
  if (sizes === null || inA === null || inB === null) return null;
  if (inA.kind === "filled" && inB.kind === "filled") {
    if (Object.is(inA.value, inB.value))
      return nodes.filled(nodes.number(a.dtype, inA.value), sizes);
    const value = freeFloat(scalar(a, inA.value), scalar(b, inB.value), sizeOf, nodes);
    return value && nodes.filled(value, sizes);
  }
  if (inA.kind === "counting" && inB.kind === "counting") {
    if (!sameShape(inA.steps, inB.steps) || !inA.steps.every(Number.isInteger)) return null;
    const start = sizeOf(inA.start, inB.start);
    if (start === null || !Number.isInteger(start.now)) return null;
    return nodes.counting(start, inA.steps, a.dtype, sizes);
  }
  if (inA.kind === "triangular" && inB.kind === "triangular") {
    const isSame = Object.is(inA.inside, inB.inside) && Object.is(inA.outside, inB.outside);
    const diagonal = isSame ? sizeOf(inA.diagonal, inB.diagonal) : null;
    return diagonal && nodes.triangular({ ...inA, diagonal }, a.dtype, sizes);
  }
  return null;
}

const scalar = ({ dtype }: HostArray, value: number): HostArray => ({
  dtype,
  shape: [],
  data: Float64Array.of(value),
});

/** A size, its root, or the reciprocal of one of them, as means and variances divide by. */
function freeFloat(a: HostArray, b: HostArray, sizeOf: SizeOf, nodes: SizeNodes): Value | null {
  const [x, y] = [a.data[0] ?? Number.NaN, b.data[0] ?? Number.NaN];
  if (!isFloat(a.dtype)) return null;
  for (const { toSize, ops } of floatForms) {
    const [p, q] = [wholeNumber(toSize(x)), wholeNumber(toSize(y))];
    const size = p === null || q === null ? null : sizeOf(p, q);
    if (size === null) continue;
    const number = nodes.cast(nodes.scalar(size), "float32", []);
    const value = ops.reduce((of, op) => nodes.write(op, [of], "float32", []), number);
    return nodes.cast(value, a.dtype, []);
  }
  return null;
}

/** `ops` make the number from the size. */
const floatForms: readonly {
  readonly toSize: (x: number) => number;
  readonly ops: readonly string[];
}[] = [
  { toSize: (x) => x, ops: [] },
  { toSize: (x) => 1 / x, ops: ["Reciprocal"] },
  { toSize: (x) => x * x, ops: ["Sqrt"] },
  { toSize: (x) => 1 / (x * x), ops: ["Sqrt", "Reciprocal"] },
];

/** What `x` is up to float32's rounding; null: no whole number. */
function wholeNumber(x: number): number | null {
  const whole = Math.round(x);
  return whole > 0 && Math.abs(x - whole) <= 2 ** -22 * whole ? whole : null;
}

export function allSizes(
  a: readonly number[],
  b: readonly number[],
  sizeOf: SizeOf,
): Size[] | null {
  if (a.length !== b.length) return null;
  const sizes = a.map((size, at) => sizeOf(size, b[at] ?? Number.NaN));
  return sizes.every((size) => size !== null) ? sizes : null;
}

/**
 * The shape input of Reshape with 0 for sizes that stay and −1 for one that does not, which reads
 * better than a computed shape; null: there is more than one.
 */
export function inferredShape(a: Node, b: Node, nodes: SizeNodes): Value | null {
  const [shapeA, shapeB] = [a.inputs[1]?.data, b.inputs[1]?.data];
  if (!shapeA || !shapeB || shapeA.length !== shapeB.length) return null;
  if (shapeA.some((size) => size < 1) || shapeB.some((size) => size < 1)) return null;
  const isFree = Array.from(shapeA, (size, at) => size !== shapeB[at]);
  const isKept = Array.from(
    shapeA,
    (size, at) => size === a.inputs[0]?.shape[at] && shapeB[at] === b.inputs[0]?.shape[at],
  );
  const marked = (keeps: boolean): number[] =>
    Array.from(shapeA, (size, at) => (!isFree[at] ? size : keeps && isKept[at] ? 0 : -1));
  const shape = [marked(false), marked(true)].find(
    (sizes) => sizes.filter((size) => size === -1).length <= 1,
  );
  return shape ? nodes.constant("int64", [shape.length], shape) : null;
}
