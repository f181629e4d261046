/** torch.linalg.lu_factor: A = P L U with rows exchanged for the largest pivots, L and U in one matrix. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { swapLastTwo } from "../../ops/write.ts";
import { bool, keyword, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { identity, inverse, type Matrix, matrix, transposed } from "../decompositions.ts";
import type { Tensor } from "../tensor.ts";
import { times, triangle } from "./factorGradients.ts";
import {
  batchOf,
  differentiable,
  given,
  matricesOf,
  place,
  refuseGradient,
  stacked,
} from "./knownMatrices.ts";

interface Factors {
  readonly both: Matrix;
  /** Counted from 1: the row that each row was exchanged with, in turn. */
  readonly pivots: readonly number[];
  /** Row i of P A is row `order[i]` of A. */
  readonly order: readonly number[];
}

function factorsOf(a: Matrix, pivots: boolean): Factors {
  const { rows, columns } = a;
  const both = matrix(rows, columns, a.data.slice());
  const at = (i: number, j: number) => both.data[i * columns + j] as number;
  const order = Array.from({ length: rows }, (_, i) => i);
  const exchanged: number[] = [];
  for (let k = 0; k < Math.min(rows, columns); k++) {
    let best = k;
    for (let i = k + 1; pivots && i < rows; i++)
      if (Math.abs(at(i, k)) > Math.abs(at(best, k))) best = i;
    exchanged.push(best + 1);
    exchangeRows(both, k, best);
    [order[k], order[best]] = [order[best] as number, order[k] as number];
    for (let i = k + 1; i < rows; i++) {
      const factor = at(k, k) === 0 ? 0 : at(i, k) / at(k, k);
      both.data[i * columns + k] = factor;
      for (let j = k + 1; j < columns; j++)
        both.data[i * columns + j] = at(i, j) - factor * at(k, j);
    }
  }
  return { both, pivots: exchanged, order };
}

function exchangeRows({ columns, data }: Matrix, i: number, j: number): void {
  const row = data.slice(i * columns, (i + 1) * columns);
  data.copyWithin(i * columns, j * columns, (j + 1) * columns);
  data.set(row, j * columns);
}

/** L with ones on its diagonal, or U. */
function triangleOf({ rows, data }: Matrix, isLower: boolean): Matrix {
  const part = isLower ? identity(rows) : matrix(rows, rows);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < rows; j++)
      if (isLower ? j < i : j >= i) part.data[i * rows + j] = data[i * rows + j] as number;
  return part;
}

export const luFactor = torchCall({
  name: "lu_factor",
  in: place,
  params: { A: tensor, pivot: keyword(withDefault(bool, true)) },
  returns: ["LU", "pivots"],
  saves: ["result0"],
  build: (ctx, { A, pivot }): Result => {
    const all = matricesOf(ctx, "linalg.lu_factor", A).map((a) => factorsOf(a, pivot));
    const [rows, columns] = A.shape.slice(-2) as [number, number];
    if (rows !== columns) refuseGradient(ctx, "linalg.lu_factor of no square matrix", A);
    const least = Math.min(rows, columns);
    const numbers = stacked(
      ctx,
      A,
      [rows, columns],
      all.map(({ both }) => both.data),
    );
    const [both] = differentiable(
      ctx,
      A,
      [numbers],
      (backward, [d = null]) => d && gradient(ctx, backward, A, all, d),
    );
    const places = Int32Array.from(all.flatMap(({ pivots }) => pivots));
    const type = { dtype: "int32", isComplex: false } as const;
    return [given(both as Value, A), ctx.store.fromNumbers(type, [...batchOf(A), least], places)];
  },
});

/** dA = Pᵀ L⁻ᵀ (tril(Lᵀ dL, −1) + triu(dU Uᵀ)) U⁻ᵀ */
function gradient(
  ctx: CallContext,
  emit: Emit,
  A: Tensor,
  all: readonly Factors[],
  d: Value,
): Value {
  const n = A.shape.at(-1) as number;
  const known = (of: (factors: Factors) => Matrix) =>
    stacked(
      ctx,
      A,
      [n, n],
      all.map((factors) => of(factors).data),
    );
  const turnedInverse = (m: Matrix) => {
    const found = inverse(m);
    if (found.singularAt !== null)
      throw torchError("RuntimeError", "linalg.lu_factor: the matrix is singular");
    return transposed(found.inverse);
  };
  const [lower, upper] = [
    known(({ both }) => triangleOf(both, true)),
    known(({ both }) => triangleOf(both, false)),
  ];
  const inLower = times(emit, swapLastTwo(emit, lower), triangle(emit, d, 0, -1));
  const inUpper = times(emit, triangle(emit, d, 1, 0), swapLastTwo(emit, upper));
  const below = triangle(emit, inLower, 0, -1);
  const above = triangle(emit, inUpper, 1, 0);
  const outerLeft = known(({ both }) => turnedInverse(triangleOf(both, true)));
  const outerRight = known(({ both }) => turnedInverse(triangleOf(both, false)));
  const permuted = known(({ order }) => {
    const p = matrix(n, n);
    order.forEach((row, i) => {
      p.data[row * n + i] = 1;
    });
    return p;
  });
  return times(emit, permuted, outerLeft, emit.op("Add", [below, above]), outerRight);
}
