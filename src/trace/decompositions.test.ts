import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cholesky,
  eigh,
  inverse,
  type Matrix,
  matrix,
  qr,
  svd,
  transposed,
} from "./decompositions.ts";

const sizes = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }));
const tenths = fc.integer({ min: -30, max: 30 }).map((x) => x / 10);
const numbers = fc.array(tenths, { minLength: 49, maxLength: 49 });

function times(a: Matrix, b: Matrix): Matrix {
  const result = matrix(a.rows, b.columns);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.columns; j++)
      for (let k = 0; k < a.columns; k++)
        result.data[i * b.columns + j] =
          (result.data[i * b.columns + j] as number) +
          (a.data[i * a.columns + k] as number) * (b.data[k * b.columns + j] as number);
  return result;
}

function expectEqual(a: Matrix, b: Matrix, tolerance = 1e-10): void {
  expect([a.rows, a.columns]).toEqual([b.rows, b.columns]);
  a.data.forEach((x, i) => {
    expect(Math.abs(x - (b.data[i] as number))).toBeLessThan(tolerance);
  });
}

const unit = (n: number): Matrix =>
  matrix(
    n,
    n,
    Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0)),
  );

const made = (rows: number, columns: number, from: readonly number[]): Matrix =>
  matrix(rows, columns, Float64Array.from(from.slice(0, rows * columns)));

test("Q R is A, and Q's columns are orthonormal", () => {
  fc.assert(
    fc.property(sizes, numbers, ([rows, columns], given) => {
      const a = made(rows, columns, given);
      const count = Math.min(rows, columns);
      const { q, r } = qr(a, count);
      expectEqual(times(q, r), a);
      expectEqual(times(transposed(q), q), unit(count));
    }),
  );
});

test("R's diagonal has LAPACK's signs", () => {
  const { r } = qr(matrix(2, 2, Float64Array.of(3, 1, 4, 2)), 2);
  expect(Array.from(r.data)).toEqual([-5, expect.closeTo(-2.2), 0, expect.closeTo(0.4)]);
});

test("U S Vᵀ is A", () => {
  fc.assert(
    fc.property(sizes, numbers, ([rows, columns], given) => {
      const a = made(rows, columns, given);
      const { u, values, v } = svd(a);
      const scaled = matrix(
        u.rows,
        u.columns,
        u.data.map((x, i) => x * (values[i % u.columns] as number)),
      );
      expectEqual(times(scaled, transposed(v)), a, 1e-8);
      expect(Array.from(values)).toEqual(Array.from(values).sort((x, y) => y - x));
    }),
  );
});

test("V diag(values) Vᵀ is the symmetric matrix", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), numbers, (n, given) => {
      const half = made(n, n, given);
      const a = matrix(
        n,
        n,
        half.data.map((x, i) => x + (half.data[(i % n) * n + Math.floor(i / n)] as number)),
      );
      const { values, vectors } = eigh(a);
      const scaled = matrix(
        n,
        n,
        vectors.data.map((x, i) => x * (values[i % n] as number)),
      );
      expectEqual(times(scaled, transposed(vectors)), a, 1e-8);
    }),
  );
});

test("L Lᵀ is the positive definite matrix, and A times its inverse is the identity", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), numbers, (n, given) => {
      const half = made(n, n, given);
      const a = times(half, transposed(half));
      for (let i = 0; i < n; i++) a.data[i * n + i] = (a.data[i * n + i] as number) + 1;
      const { lower, failedAt } = cholesky(a);
      expect(failedAt).toBe(null);
      expectEqual(times(lower, transposed(lower)), a);
      expectEqual(times(a, inverse(a).inverse), unit(n), 1e-8);
    }),
  );
});

test("says where a matrix fails", () => {
  expect(inverse(matrix(2, 2)).singularAt).toBe(0);
  expect(cholesky(matrix(2, 2, Float64Array.of(1, 2, 2, 1))).failedAt).toBe(2);
  expect(inverse(matrix(2, 2, Float64Array.of(0, 2, 3, 0))).determinant).toBe(-6);
});
