/** Operands of an attention as rows that are made up. */
import type { Node } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { evaluateOperand, type OperandPath, type RowFill } from "./madeUpOperands.ts";

/** An operand as rows [row, position, feature]. */
export interface Operand {
  readonly path: OperandPath;
  readonly shape: readonly number[];
  readonly isTurned: boolean;
  /** Products with tables that are neither made by linear maps nor the same for all rows. */
  readonly tables: readonly Node[];
  /** Whether such a table is added somewhere. */
  readonly hasSums: boolean;
}

/** No pattern, and not the same for two heads. */
export function mixedRow(column: number): number {
  mixed[column] ??= 1.3 * Math.sin(12.9898 * (column + 1)) + 0.2;
  return mixed[column];
}
const mixed: number[] = [];

export interface Rows {
  readonly count: number;
  readonly positions: number;
  at(row: number, position: number): Float64Array;
}

const mixedRows = new WeakMap<OperandPath, Rows | null>();

/** Computed once for `mixedRow`, which is asked for more than once. */
export function rowsOf(operand: Operand, row: RowFill): Rows | null {
  const known = row === mixedRow ? mixedRows.get(operand.path) : undefined;
  if (known !== undefined) return known;
  const made = computeRows(operand, row);
  if (row === mixedRow) mixedRows.set(operand.path, made);
  return made;
}

function computeRows({ path, shape, isTurned }: Operand, row: RowFill): Rows | null {
  const data = evaluateOperand(path, row);
  const [a = 1, b = 1] = shape.slice(-2);
  const [positions, width] = isTurned ? [b, a] : [a, b];
  if (!data || shape.length < 3) return null;
  const count = numel(shape.slice(0, -2));
  const rows = new Float64Array(count * positions * width);
  for (let i = 0, at = 0; at < count; at++)
    for (let position = 0; position < positions; position++)
      for (let feature = 0; feature < width; feature++, i++) {
        const within = isTurned ? feature * positions + position : position * width + feature;
        rows[i] = Number(data[at * a * b + within]);
      }
  return {
    count,
    positions,
    at: (at, position) => {
      const start = (at * positions + position) * width;
      return rows.subarray(start, start + width);
    },
  };
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
export const norm = (a: Float64Array): number => Math.sqrt(dot(a, a));
export const cosine = (a: Float64Array, b: Float64Array): number => dot(a, b) / norm(a) / norm(b);
export const range = (count: number) => Array.from({ length: count }, (_, i) => i);
export const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a.every((x, i) => Math.abs(x - (b[i] ?? 0)) <= 1e-4 * (1 + Math.abs(x)));
