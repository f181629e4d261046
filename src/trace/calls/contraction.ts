/** Sums of products over labelled axes, two factors at a time: transposes, reshapes, one matrix product. */
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { reshapeTo, transpose } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import { isComplexType, type TorchType } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import { productOf as productInSteps } from "./kernelSlopes.ts";
import { multiply } from "./matrices.ts";

/** A value and the label of each of its axes, none twice. */
interface Term {
  readonly value: Value;
  readonly labels: readonly string[];
}

/** Σ of the product of all values over the labels that `output` does not name; each product is one of `type`. */
export function contract(
  emit: CallContext["emit"],
  values: readonly Value[],
  labels: readonly (readonly string[])[],
  output: readonly string[],
  type: TorchType,
): Value {
  const terms = values.map((value, at) => onDiagonal(emit, value, labels[at] ?? []));
  let product = terms[0] as Term;
  for (let at = 1; at < terms.length; at++) {
    const later = terms.slice(at + 1).flatMap((term) => term.labels);
    const kept = new Set([...output, ...later]);
    const { value, labels } = productOf(emit, product, terms[at] as Term, kept, output, type);
    product = { value: at < terms.length - 1 ? rounded(emit, value, type) : value, labels };
  }
  const summed = sumOut(emit, product, new Set(output));
  return ordered(emit, summed, output);
}

const sizeOf = ({ value, labels }: Term, label: string): number =>
  value.shape[labels.indexOf(label)] as number;

const ordered = (emit: Emit, { value, labels }: Term, order: readonly string[]): Value =>
  transpose(
    emit,
    value,
    order.map((label) => labels.indexOf(label)),
  );

/** Where a label stands twice, the entries whose two indices are equal. */
function onDiagonal(emit: Emit, value: Value, labels: readonly string[]): Term {
  const second = labels.findIndex((label, axis) => labels.indexOf(label) < axis);
  if (second < 0) return { value, labels };
  const first = labels.indexOf(labels[second] as string);
  const rest = labels.map((_, axis) => axis).filter((axis) => axis !== first && axis !== second);
  const size = value.shape[first] as number;
  const last = transpose(emit, value, [...rest, first, second]);
  const outer = rest.map((axis) => value.shape[axis] as number);
  const flat = reshapeTo(emit, last, [...outer, size * size]);
  const ints = (n: number) => emit.ints([n]);
  const axis = ints(outer.length);
  const diagonal = emit.op("Slice", [flat, ints(0), ints(size * size), axis, ints(size + 1)]);
  const left = [...rest, first].map((at) => labels[at] as string);
  return onDiagonal(emit, diagonal, left);
}

function sumOut(emit: Emit, term: Term, kept: ReadonlySet<string>): Term {
  const axes = term.labels.flatMap((label, axis) => (kept.has(label) ? [] : [axis]));
  if (axes.length === 0) return term;
  return {
    value: emit.op("ReduceSum", [term.value, emit.ints(axes)], { keepdims: 0 }),
    labels: term.labels.filter((label) => kept.has(label)),
  };
}

/** Without the axes of size 1 that are longer in the other factor. */
function withoutBroadcast(emit: Emit, term: Term, other: Term): Term {
  const isSpread = (label: string) =>
    other.labels.includes(label) && sizeOf(term, label) === 1 && sizeOf(other, label) !== 1;
  const labels = term.labels.filter((label) => !isSpread(label));
  if (labels.length === term.labels.length) return term;
  const shape = labels.map((label) => sizeOf(term, label));
  return { value: reshapeTo(emit, term.value, shape), labels };
}

function productOf(
  emit: CallContext["emit"],
  first: Term,
  second: Term,
  kept: ReadonlySet<string>,
  output: readonly string[],
  type: TorchType,
): Term {
  const a = withoutBroadcast(emit, first, second);
  const b = withoutBroadcast(emit, second, first);
  const left = sumOut(emit, a, new Set([...kept, ...b.labels]));
  const right = sumOut(emit, b, new Set([...kept, ...a.labels]));
  const shared = left.labels.filter((label) => right.labels.includes(label));
  const contracted = shared.filter((label) => !kept.has(label));
  const place = (label: string) => output.indexOf(label);
  const batch = shared.filter((label) => kept.has(label)).sort((p, q) => place(p) - place(q));
  const rows = left.labels.filter((label) => !shared.includes(label));
  const columns = right.labels.filter((label) => !shared.includes(label));
  const labels = [...batch, ...rows, ...columns];
  const sizes = (names: readonly string[]) =>
    names.map((label) => sizeOf(left.labels.includes(label) ? left : right, label));
  const parts = { batch, rows, columns, contracted, sizes };
  const value =
    contracted.length === 0
      ? elementwise(emit, left, right, parts, type)
      : matrixProduct(emit, left, right, parts);
  return { value: reshapeTo(emit, value, sizes(labels)), labels };
}

interface Parts {
  readonly batch: readonly string[];
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly contracted: readonly string[];
  sizes(labels: readonly string[]): number[];
}

function elementwise(
  emit: CallContext["emit"],
  left: Term,
  right: Term,
  parts: Parts,
  type: TorchType,
): Value {
  const { batch, rows, columns, sizes } = parts;
  const ones = (labels: readonly string[]) => labels.map(() => 1);
  const x = reshapeTo(emit, ordered(emit, left, [...batch, ...rows]), [
    ...sizes(batch),
    ...sizes(rows),
    ...ones(columns),
  ]);
  const y = reshapeTo(emit, ordered(emit, right, [...batch, ...columns]), [
    ...sizes(batch),
    ...ones(rows),
    ...sizes(columns),
  ]);
  return isComplexType(type) ? emit.op("Mul", [x, y]) : productInSteps(emit, x, y, type);
}

function matrixProduct(emit: Emit, left: Term, right: Term, parts: Parts): Value {
  const { batch, rows, columns, contracted, sizes } = parts;
  const [m, n, k] = [rows, columns, contracted].map((labels) => numel(sizes(labels))) as [
    number,
    number,
    number,
  ];
  if (batch.length === 0 && isFloat(left.value.dtype)) {
    const a = asMatrix(emit, left, rows, contracted, [m, k]);
    const b = asMatrix(emit, right, contracted, columns, [k, n]);
    const attrs = { transA: a.transposed ? 1 : 0, transB: b.transposed ? 1 : 0 };
    return emit.op("Gemm", [a.value, b.value], attrs);
  }
  const outer = sizes(batch);
  const x = reshapeTo(emit, ordered(emit, left, [...batch, ...rows, ...contracted]), [
    ...outer,
    m,
    k,
  ]);
  const y = reshapeTo(emit, ordered(emit, right, [...batch, ...contracted, ...columns]), [
    ...outer,
    k,
    n,
  ]);
  return multiply(emit, x, y);
}

/** As it lies where that is one of the two ways in which Gemm reads a matrix. */
function asMatrix(
  emit: Emit,
  term: Term,
  rows: readonly string[],
  columns: readonly string[],
  [m, n]: readonly [number, number],
): { value: Value; transposed: boolean } {
  if (term.labels.join("|") === [...columns, ...rows].join("|"))
    return { value: reshapeTo(emit, term.value, [n, m]), transposed: true };
  const straight = ordered(emit, term, [...rows, ...columns]);
  return { value: reshapeTo(emit, straight, [m, n]), transposed: false };
}
