/** torch.linalg: factors of matrices, computed where the call is traced; they have no gradient here. */
import { torchError } from "../../errors.ts";
import { allocate } from "../../graph/tensor.ts";
import { swapLastTwo } from "../../ops/write.ts";
import { bool, either, float, keyword, optional, tensor, text, withDefault } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import {
  eigh as eighOf,
  type Matrix,
  qr as qrOf,
  svd as svdOf,
  transposed,
} from "../decompositions.ts";
import type { Tensor } from "../tensor.ts";
import {
  batchOf,
  everywhere,
  given,
  matricesOf,
  place,
  refuseGradient,
  squareMatricesOf,
  stacked,
} from "./knownMatrices.ts";

export const qr = torchCall({
  name: "qr",
  in: place,
  params: { input: tensor, mode: withDefault(text, "reduced") },
  returns: ["Q", "R"],
  build: (ctx, { input, mode }): Result => {
    if (mode !== "reduced" && mode !== "complete" && mode !== "r")
      throw torchError(
        "RuntimeError",
        `qr received unrecognized mode '${mode}' but expected one of 'reduced' (default), 'r', or 'complete'`,
      );
    const all = matricesOf(ctx, "linalg.qr", input);
    refuseGradient(ctx, "linalg.qr", input);
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    const count = mode === "complete" ? rows : Math.min(rows, columns);
    const factors = all.map((a) => qrOf(a, count));
    const r = stacked(
      ctx,
      input,
      [count, columns],
      factors.map(({ r }) => r.data),
    );
    const none = ctx.emit.constant({
      dtype: input.dtype,
      shape: [0],
      data: allocate(input.dtype, 0),
    });
    const q =
      mode === "r"
        ? none
        : stacked(
            ctx,
            input,
            [rows, count],
            factors.map(({ q }) => q.data),
          );
    return [given(q, input), given(r, input)];
  },
});

/** [U, S, Vᵀ] of each matrix, U and V with `count` columns. */
function singular(ctx: CallContext, input: Tensor, full: boolean) {
  const all = matricesOf(ctx, "linalg.svd", input);
  refuseGradient(ctx, "linalg.svd", input);
  const [rows, columns] = input.shape.slice(-2) as [number, number];
  const least = Math.min(rows, columns);
  const factors = all.map((a) => svdOf(a));
  const [left, right] = full ? [rows, columns] : [least, least];
  const widened = (m: Matrix, count: number) => (count === m.columns ? m : withMore(m, count));
  return {
    u: stacked(
      ctx,
      input,
      [rows, left],
      factors.map(({ u }) => widened(u, left).data),
    ),
    s: stacked(
      ctx,
      input,
      [least],
      factors.map(({ values }) => values),
    ),
    vh: stacked(
      ctx,
      input,
      [right, columns],
      factors.map(({ v }) => transposed(widened(v, right)).data),
    ),
  };
}

/** Orthonormal columns and further ones that complete them. */
function withMore(m: Matrix, count: number): Matrix {
  const { q } = qrOf(m, count);
  for (let i = 0; i < m.rows; i++)
    for (let j = 0; j < m.columns; j++) q.data[i * count + j] = m.data[i * m.columns + j] as number;
  return q;
}

export const svd = torchCall({
  name: "svd",
  key: "linalg.svd",
  in: place,
  params: { input: tensor, full_matrices: withDefault(bool, true), driver: optional(text) },
  returns: ["U", "S", "Vh"],
  build: (ctx, { input, full_matrices }): Result => {
    const { u, s, vh } = singular(ctx, input, full_matrices);
    return [given(u, input), given(s, input), given(vh, input)];
  },
});

export const torchSvd = torchCall({
  name: "svd",
  in: everywhere,
  params: { input: tensor, some: withDefault(bool, true), compute_uv: withDefault(bool, true) },
  returns: ["U", "S", "V"],
  build: (ctx, { input, some }): Result => {
    const { u, s, vh } = singular(ctx, input, !some);
    return [given(u, input), given(s, input), given(swapLastTwo(ctx.emit, vh), input)];
  },
});

export const svdvals = torchCall({
  name: "svdvals",
  in: place,
  params: { input: tensor, driver: optional(text) },
  build: (ctx, { input }) => given(singular(ctx, input, false).s, input),
});

function symmetric(ctx: CallContext, input: Tensor, uplo: string) {
  const all = squareMatricesOf(ctx, "linalg.eigh", input);
  refuseGradient(ctx, "linalg.eigh", input);
  const factors = all.map((a) => eighOf(uplo.toUpperCase() === "U" ? transposed(a) : a));
  const n = input.shape.at(-1) as number;
  return {
    values: stacked(
      ctx,
      input,
      [n],
      factors.map(({ values }) => values),
    ),
    vectors: stacked(
      ctx,
      input,
      [n, n],
      factors.map(({ vectors }) => vectors.data),
    ),
  };
}

export const eigh = torchCall({
  name: "eigh",
  in: place,
  params: { input: tensor, UPLO: withDefault(text, "L") },
  returns: ["eigenvalues", "eigenvectors"],
  build: (ctx, { input, UPLO }): Result => {
    const { values, vectors } = symmetric(ctx, input, UPLO);
    return [given(values, input), given(vectors, input)];
  },
});

export const eigvalsh = torchCall({
  name: "eigvalsh",
  in: place,
  params: { input: tensor, UPLO: withDefault(text, "L") },
  build: (ctx, { input, UPLO }) => given(symmetric(ctx, input, UPLO).values, input),
});

/** The singular values above max(rows, columns) · ε · the largest, or above tolerances that are given. */
export const matrixRank = torchCall({
  name: "matrix_rank",
  in: place,
  params: {
    input: tensor,
    tol: optional(float),
    atol: keyword(optional(either(float, tensor))),
    rtol: keyword(optional(either(float, tensor))),
    hermitian: keyword(withDefault(bool, false)),
  },
  build: (ctx, { input, tol, atol, rtol, hermitian }) => {
    if (atol !== null || rtol !== null || hermitian)
      throw torchError(
        "UnsupportedCall",
        "linalg.matrix_rank with atol, rtol or hermitian is not supported",
      );
    const all = matricesOf(ctx, "linalg.matrix_rank", input);
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    const epsilon = input.dtype === "float64" ? 2 ** -52 : 2 ** -23;
    const ranks = all.map((a) => {
      const { values } = svdOf(a);
      const limit = tol ?? Math.max(rows, columns) * epsilon * (values[0] ?? 0);
      return values.filter((value) => value > limit).length;
    });
    const shape = batchOf(input);
    return ctx.store.fromNumbers(
      { dtype: "int64", isComplex: false },
      shape,
      Float64Array.from(ranks),
    );
  },
});

/** A⁺ = V S⁻¹ Uᵀ without the singular values that are as good as 0. */
export const pinv = torchCall({
  name: "pinv",
  in: place,
  params: {
    input: tensor,
    rcond: optional(either(float, tensor)),
    atol: keyword(optional(either(float, tensor))),
    rtol: keyword(optional(either(float, tensor))),
    hermitian: keyword(withDefault(bool, false)),
  },
  build: (ctx, { input, rcond, atol, rtol, hermitian }) => {
    if (rcond !== null || atol !== null || rtol !== null || hermitian)
      throw torchError(
        "UnsupportedCall",
        "linalg.pinv with tolerances or hermitian is not supported",
      );
    const all = matricesOf(ctx, "linalg.pinv", input);
    refuseGradient(ctx, "linalg.pinv", input);
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    const epsilon = input.dtype === "float64" ? 2 ** -52 : 2 ** -23;
    const pseudo = all.map((a) => {
      const { u, values, v } = svdOf(a);
      const limit = Math.max(rows, columns) * epsilon * (values[0] ?? 0);
      const result = new Float64Array(columns * rows);
      values.forEach((value, k) => {
        if (value <= limit) return;
        for (let i = 0; i < columns; i++)
          for (let j = 0; j < rows; j++)
            result[i * rows + j] =
              (result[i * rows + j] as number) +
              ((v.data[i * v.columns + k] as number) * (u.data[j * u.columns + k] as number)) /
                value;
      });
      return result;
    });
    return given(stacked(ctx, input, [columns, rows], pseudo), input);
  },
});
export const pinverse = torchCall({ ...pinv, name: "pinverse", in: everywhere });
