/** Decompositions of matrices whose numbers are known, in double precision; row-major arrays. */

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

export const matrix = (rows: number, columns: number, data?: Float64Array): Matrix => ({
  rows,
  columns,
  data: data ?? new Float64Array(rows * columns),
});

export function identity(n: number): Matrix {
  const result = matrix(n, n);
  for (let i = 0; i < n; i++) result.data[i * n + i] = 1;
  return result;
}

export function transposed({ rows, columns, data }: Matrix): Matrix {
  const result = matrix(columns, rows);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) result.data[j * rows + i] = data[i * columns + j] as number;
  return result;
}

const at = (data: Float64Array, index: number): number => data[index] as number;

/**
 * Householder's reflections with LAPACK's signs: R's diagonal has the sign opposite to the column it
 * comes from. `count` columns of Q. (Golub and Van Loan, Matrix Computations, 5.2.1.)
 */
export function qr(a: Matrix, count: number): { q: Matrix; r: Matrix } {
  const { rows, columns } = a;
  const r = a.data.slice();
  const steps = Math.min(rows, columns);
  const reflectors: { v: Float64Array; tau: number }[] = [];
  for (let k = 0; k < Math.min(steps, rows - 1); k++) {
    const v = new Float64Array(rows - k);
    let norm = 0;
    for (let i = k; i < rows; i++) {
      const x = at(r, i * columns + k);
      v[i - k] = x;
      if (i > k) norm += x * x;
    }
    const alpha = at(v, 0);
    const beta = norm === 0 ? alpha : -Math.sign(alpha || 1) * Math.sqrt(alpha * alpha + norm);
    const tau = norm === 0 ? 0 : (beta - alpha) / beta;
    for (let i = 1; i < v.length; i++) v[i] = norm === 0 ? 0 : at(v, i) / (alpha - beta);
    v[0] = 1;
    reflectors.push({ v, tau });
    reflect(r, columns, k, k, v, tau);
  }
  const q = matrix(rows, count);
  for (let i = 0; i < Math.min(rows, count); i++) q.data[i * count + i] = 1;
  for (let k = reflectors.length - 1; k >= 0; k--) {
    const { v, tau } = reflectors[k] as { v: Float64Array; tau: number };
    reflect(q.data, count, k, 0, v, tau);
  }
  const upper = matrix(Math.min(count, rows), columns);
  for (let i = 0; i < upper.rows; i++)
    for (let j = i; j < columns; j++) upper.data[i * columns + j] = at(r, i * columns + j);
  return { q, r: upper };
}

/** Rows from `row` and columns from `column`: A −= tau · v (vᵀ A). */
function reflect(
  data: Float64Array,
  columns: number,
  row: number,
  column: number,
  v: Float64Array,
  tau: number,
): void {
  if (tau === 0) return;
  const sums = new Float64Array(columns);
  for (let i = 0; i < v.length; i++) {
    const from = (row + i) * columns;
    const factor = at(v, i);
    for (let j = column; j < columns; j++) sums[j] = at(sums, j) + factor * at(data, from + j);
  }
  for (let i = 0; i < v.length; i++) {
    const from = (row + i) * columns;
    const factor = tau * at(v, i);
    for (let j = column; j < columns; j++)
      data[from + j] = at(data, from + j) - factor * at(sums, j);
  }
}

/** By Gauss and Jordan with the largest pivot of each column; `singularAt` is the pivot that is 0. */
export function inverse(a: Matrix): {
  inverse: Matrix;
  determinant: number;
  singularAt: number | null;
} {
  const n = a.rows;
  const left = a.data.slice();
  const right = identity(n).data;
  let determinant = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++)
      if (Math.abs(at(left, i * n + k)) > Math.abs(at(left, pivot * n + k))) pivot = i;
    const value = at(left, pivot * n + k);
    if (value === 0) return { inverse: matrix(n, n), determinant: 0, singularAt: k };
    if (pivot !== k) {
      swapRows(left, n, pivot, k);
      swapRows(right, n, pivot, k);
      determinant = -determinant;
    }
    determinant *= value;
    for (let j = 0; j < n; j++) {
      left[k * n + j] = at(left, k * n + j) / value;
      right[k * n + j] = at(right, k * n + j) / value;
    }
    for (let i = 0; i < n; i++) {
      const factor = at(left, i * n + k);
      if (i === k || factor === 0) continue;
      for (let j = 0; j < n; j++) {
        left[i * n + j] = at(left, i * n + j) - factor * at(left, k * n + j);
        right[i * n + j] = at(right, i * n + j) - factor * at(right, k * n + j);
      }
    }
  }
  return { inverse: matrix(n, n, right), determinant, singularAt: null };
}

function swapRows(data: Float64Array, columns: number, a: number, b: number): void {
  const row = data.slice(a * columns, (a + 1) * columns);
  data.copyWithin(a * columns, b * columns, (b + 1) * columns);
  data.set(row, b * columns);
}

/** L with A = L Lᵀ; null with the order of the leading minor that is not positive. */
export function cholesky(a: Matrix): { lower: Matrix; failedAt: number | null } {
  const n = a.rows;
  const lower = matrix(n, n);
  const l = lower.data;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = at(a.data, i * n + j);
      for (let k = 0; k < j; k++) sum -= at(l, i * n + k) * at(l, j * n + k);
      if (i === j && !(sum > 0)) return { lower, failedAt: i + 1 };
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / at(l, j * n + j);
    }
  return { lower, failedAt: null };
}

/**
 * Eigenvalues in ascending order and the eigenvectors in columns, of a symmetric matrix of which the
 * lower triangle counts: Jacobi's rotations. (Golub and Van Loan, Matrix Computations, 8.5.)
 */
export function eigh(a: Matrix): { values: Float64Array; vectors: Matrix } {
  const n = a.rows;
  const s = a.data.slice();
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) s[i * n + j] = at(s, j * n + i);
  const v = identity(n).data;
  for (let sweep = 0; sweep < 60 && offDiagonal(s, n) > 0; sweep++)
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const apq = at(s, p * n + q);
        const [app, aqq] = [at(s, p * n + p), at(s, q * n + q)];
        if (Math.abs(apq) <= 1e-17 * Math.sqrt(Math.abs(app * aqq))) {
          s[p * n + q] = 0;
          s[q * n + p] = 0;
          continue;
        }
        const [c, t] = rotation(app, aqq, apq);
        rotateColumns(s, n, p, q, c, t);
        rotateRows(s, n, p, q, c, t);
        rotateColumns(v, n, p, q, c, t);
      }
  const order = Array.from({ length: n }, (_, i) => i);
  order.sort((i, j) => at(s, i * n + i) - at(s, j * n + j));
  const vectors = matrix(n, n);
  order.forEach((from, to) => {
    for (let i = 0; i < n; i++) vectors.data[i * n + to] = at(v, i * n + from);
  });
  return { values: Float64Array.from(order, (i) => at(s, i * n + i)), vectors };
}

function offDiagonal(s: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) sum += at(s, i * n + j) ** 2;
  return sum;
}

/** cos and sin that make the pair's off-diagonal element 0. */
function rotation(app: number, aqq: number, apq: number): [number, number] {
  const theta = (aqq - app) / (2 * apq);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  return [c, t * c];
}

function rotateColumns(
  m: Float64Array,
  n: number,
  p: number,
  q: number,
  c: number,
  s: number,
): void {
  for (let i = 0; i * n < m.length; i++) {
    const [x, y] = [at(m, i * n + p), at(m, i * n + q)];
    m[i * n + p] = c * x - s * y;
    m[i * n + q] = s * x + c * y;
  }
}

function rotateRows(m: Float64Array, n: number, p: number, q: number, c: number, s: number): void {
  for (let j = 0; j < n; j++) {
    const [x, y] = [at(m, p * n + j), at(m, q * n + j)];
    m[p * n + j] = c * x - s * y;
    m[q * n + j] = s * x + c * y;
  }
}

/**
 * A = U · diag(values) · Vᵀ, values descending: Jacobi's rotations of the columns of A until they are
 * orthogonal. (Golub and Van Loan, Matrix Computations, 8.6.3.)
 */
export function svd(a: Matrix): { u: Matrix; values: Float64Array; v: Matrix } {
  if (a.rows < a.columns) {
    const { u, values, v } = svd(transposed(a));
    return { u: v, values, v: u };
  }
  const { rows, columns: n } = a;
  const w = a.data.slice();
  const v = identity(n).data;
  for (let sweep = 0, rotated = true; rotated && sweep < 60; sweep++) {
    rotated = false;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        let [pp, qq, pq] = [0, 0, 0];
        for (let i = 0; i < rows; i++) {
          const [x, y] = [at(w, i * n + p), at(w, i * n + q)];
          pp += x * x;
          qq += y * y;
          pq += x * y;
        }
        if (Math.abs(pq) <= 1e-15 * Math.sqrt(pp * qq) || pq === 0) continue;
        rotated = true;
        const [c, s] = rotation(pp, qq, pq);
        rotateColumns(w, n, p, q, c, s);
        rotateColumns(v, n, p, q, c, s);
      }
  }
  return inOrder(w, v, rows, n);
}

/** Columns of `w` are values times columns of U. */
function inOrder(w: Float64Array, v: Float64Array, rows: number, n: number) {
  const norms = Array.from({ length: n }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += at(w, i * n + j) ** 2;
    return Math.sqrt(sum);
  });
  const order = norms.map((_, j) => j).sort((i, j) => (norms[j] as number) - (norms[i] as number));
  const u = matrix(rows, n);
  const right = matrix(n, n);
  order.forEach((from, to) => {
    const norm = norms[from] as number;
    for (let i = 0; i < rows; i++) u.data[i * n + to] = norm === 0 ? 0 : at(w, i * n + from) / norm;
    for (let i = 0; i < n; i++) right.data[i * n + to] = at(v, i * n + from);
  });
  const values = Float64Array.from(order, (j) => norms[j] as number);
  return { u: completed(u, values), values, v: right };
}

/** Columns that belong to the value 0 made orthonormal to the others. */
function completed(u: Matrix, values: Float64Array): Matrix {
  const rank = values.indexOf(0);
  if (rank < 0) return u;
  const kept = matrix(u.rows, rank);
  for (let i = 0; i < u.rows; i++)
    for (let j = 0; j < rank; j++) kept.data[i * rank + j] = at(u.data, i * u.columns + j);
  const { q } = qr(kept, u.columns);
  for (let i = 0; i < u.rows; i++)
    for (let j = rank; j < u.columns; j++)
      u.data[i * u.columns + j] = at(q.data, i * u.columns + j);
  return u;
}
