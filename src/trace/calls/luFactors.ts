/** torch.linalg.lu_factor: A = P L U with rows exchanged for the largest pivots, L and U in one matrix. */
import { bool, keyword, tensor, withDefault } from "../arguments.ts";
import { type Result, torchCall } from "../call.ts";
import { type Matrix, matrix } from "../decompositions.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { batchOf, given, matricesOf, place, stacked } from "./knownMatrices.ts";

interface Factors {
  readonly both: Matrix;
  /** Counted from 1: the row that each row was exchanged with, in turn. */
  readonly pivots: readonly number[];
}

function factorsOf(a: Matrix, pivots: boolean): Factors {
  const { rows, columns } = a;
  const both = matrix(rows, columns, a.data.slice());
  const at = (i: number, j: number) => both.data[i * columns + j] as number;
  const exchanged: number[] = [];
  for (let k = 0; k < Math.min(rows, columns); k++) {
    let best = k;
    for (let i = k + 1; pivots && i < rows; i++)
      if (Math.abs(at(i, k)) > Math.abs(at(best, k))) best = i;
    exchanged.push(best + 1);
    exchangeRows(both, k, best);
    for (let i = k + 1; i < rows; i++) {
      const factor = at(k, k) === 0 ? 0 : at(i, k) / at(k, k);
      both.data[i * columns + k] = factor;
      for (let j = k + 1; j < columns; j++)
        both.data[i * columns + j] = at(i, j) - factor * at(k, j);
    }
  }
  return { both, pivots: exchanged };
}

function exchangeRows({ columns, data }: Matrix, i: number, j: number): void {
  const row = data.slice(i * columns, (i + 1) * columns);
  data.copyWithin(i * columns, j * columns, (j + 1) * columns);
  data.set(row, j * columns);
}

export const luFactor = torchCall({
  name: "lu_factor",
  in: place,
  params: { A: tensor, pivot: keyword(withDefault(bool, true)) },
  returns: ["LU", "pivots"],
  saves: ["result0"],
  build: (ctx, { A, pivot }): Result => {
    if (ctx.emit.gradMode && ctx.store.requiresGrad(A)) leaveToPython();
    const all = matricesOf(ctx, "linalg.lu_factor", A).map((a) => factorsOf(a, pivot));
    const [rows, columns] = A.shape.slice(-2) as [number, number];
    const least = Math.min(rows, columns);
    const numbers = stacked(
      ctx,
      A,
      [rows, columns],
      all.map(({ both }) => both.data),
    );
    const places = Int32Array.from(all.flatMap(({ pivots }) => pivots));
    const type = { dtype: "int32", isComplex: false } as const;
    return [given(numbers, A), ctx.store.fromNumbers(type, [...batchOf(A), least], places)];
  },
});
