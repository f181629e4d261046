/** Products of host matrices, summed in float64. */
import { allocate, type HostArray, numel, type TensorType } from "../../graph/tensor.ts";
import { broadcastIndex } from "./elementwise.ts";
import { roundTo } from "./round.ts";

/** A · B over the last two axes; the leading axes broadcast to those of `out`. */
export function matmul(A: HostArray, B: HostArray, out: TensorType): HostArray {
  const [m, n] = out.shape.slice(-2) as [number, number];
  const k = A.shape.at(-1) ?? 0;
  const batch = out.shape.slice(0, -2);
  const a = broadcastIndex(A.shape.slice(0, -2), batch);
  const b = broadcastIndex(B.shape.slice(0, -2), batch);
  const data = allocate(out.dtype, numel(out.shape));
  const row = new Float64Array(n);
  for (let at = 0; at < numel(batch); at++) {
    const startA = (a?.[at] ?? at) * m * k;
    const startB = (b?.[at] ?? at) * k * n;
    for (let i = 0; i < m; i++) {
      row.fill(0);
      for (let p = 0; p < k; p++) {
        const x = A.data[startA + i * k + p] as number;
        const from = startB + p * n;
        for (let j = 0; j < n; j++) row[j] = (row[j] as number) + x * (B.data[from + j] as number);
      }
      data.set(row, (at * m + i) * n);
    }
  }
  roundTo(out.dtype, data);
  return { dtype: out.dtype, shape: out.shape, data };
}

/** The transpose of a matrix. */
export function transposed(X: HostArray): HostArray {
  const [rows, columns] = X.shape as [number, number];
  const data = allocate(X.dtype, X.data.length);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) data[j * rows + i] = X.data[i * columns + j] as number;
  return { dtype: X.dtype, shape: [columns, rows], data };
}
