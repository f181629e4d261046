/** torch.linalg: factors of matrices, computed where the call is traced. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, numel, sameShape } from "../../graph/tensor.ts";
import { sliceAxis, swapLastTwo } from "../../ops/write.ts";
import {
  bool,
  isTensor,
  keyword,
  operand,
  optional,
  type Scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import {
  eigh as eighOf,
  inverse,
  type Matrix,
  matrix,
  qr as qrOf,
  svd as svdOf,
  transposed,
} from "../decompositions.ts";
import type { Tensor } from "../tensor.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { refuseGradientOf } from "./derivatives.ts";
import {
  eighGradient,
  pinvGradient,
  qrGradient,
  svdGradient,
  triangle,
} from "./factorGradients.ts";
import {
  batchOf,
  differentiable,
  everywhere,
  given,
  knownInverse,
  matricesOf,
  place,
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
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    const count = mode === "complete" ? rows : Math.min(rows, columns);
    const factors = all.map((a) => qrOf(a, count));
    const numbers = (shape: readonly number[], arrays: readonly ArrayLike<number>[]) =>
      stacked(ctx, input, shape, arrays);
    const r = numbers(
      [count, columns],
      factors.map((factor) => factor.r.data),
    );
    const q =
      mode === "r"
        ? ctx.emit.constant({ dtype: input.dtype, shape: [0], data: allocate(input.dtype, 0) })
        : numbers(
            [rows, count],
            factors.map((factor) => factor.q.data),
          );
    const a = ctx.store.read(input);
    const gradient: Parameters<typeof differentiable>[3] = (emit, [dq = null, dr = null], made) => {
      refuseQrGradient(mode, rows, columns);
      const n = Math.min(rows, columns);
      const inverses = numbers(
        [n, n],
        factors.map((factor) => inverse(leading(factor.r, n)).inverse.data),
      );
      const [q, r] = made as [Value, Value];
      const square = sliceAxis(emit, r, r.shape.length - 1, 0, n);
      const turned = swapLastTwo(emit, knownInverse(emit, square, inverses, upperPart));
      return qrGradient(emit, { q, r, a }, turned, dq, dr);
    };
    const made = differentiable(ctx.emit, a, [q, r], gradient);
    return made.map((value) => given(value, input));
  },
});

const upperPart = (emit: Emit, x: Value): Value => triangle(emit, x, 1, 0);

function refuseQrGradient(mode: string, rows: number, columns: number): void {
  if (mode === "r")
    throw torchError(
      "RuntimeError",
      "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to require gradients through linalg.qr.",
    );
  if (mode === "complete" && rows > columns)
    throw torchError(
      "RuntimeError",
      "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.",
    );
}

/** The first `n` rows and columns. */
function leading(m: Matrix, n: number): Matrix {
  const part = matrix(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) part.data[i * n + j] = m.data[i * m.columns + j] as number;
  return part;
}

/** [U, S, Vᵀ] of each matrix, U and V with `count` columns. */
function singular(ctx: CallContext, input: Tensor, full: boolean) {
  const all = matricesOf(ctx, "linalg.svd", input);
  const [rows, columns] = input.shape.slice(-2) as [number, number];
  const least = Math.min(rows, columns);
  const factors = all.map((a) => svdOf(a));
  const [left, right] = full ? [rows, columns] : [least, least];
  const widened = (m: Matrix, count: number) => (count === m.columns ? m : withMore(m, count));
  const u = stacked(
    ctx,
    input,
    [rows, left],
    factors.map((factor) => widened(factor.u, left).data),
  );
  const s = stacked(
    ctx,
    input,
    [least],
    factors.map(({ values }) => values),
  );
  const vh = stacked(
    ctx,
    input,
    [right, columns],
    factors.map(({ v }) => transposed(widened(v, right)).data),
  );
  // Vectors that only complete the others have no gradient.
  const cut = (emit: Emit, x: Value, axis: number) =>
    sliceAxis(emit, x, x.shape.length + axis, 0, least);
  return differentiable(
    ctx.emit,
    ctx.store.read(input),
    [u, s, vh],
    (emit, [du = null, ds = null, dvh = null], made) => {
      const [u, s, vh] = made as [Value, Value, Value];
      return svdGradient(emit, { u: cut(emit, u, -1), s, vh: cut(emit, vh, -2) }, [
        du && cut(emit, du, -1),
        ds,
        dvh && cut(emit, dvh, -2),
      ]);
    },
  ) as readonly [Value, Value, Value];
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
    const [u, s, vh] = singular(ctx, input, full_matrices);
    return [given(u, input), given(s, input), given(vh, input)];
  },
});

export const torchSvd = torchCall({
  name: "svd",
  in: everywhere,
  params: { input: tensor, some: withDefault(bool, true), compute_uv: withDefault(bool, true) },
  returns: ["U", "S", "V"],
  build: (ctx, { input, some }): Result => {
    const [u, s, vh] = singular(ctx, input, !some);
    return [given(u, input), given(s, input), given(swapLastTwo(ctx.emit, vh), input)];
  },
});

export const svdvals = torchCall({
  name: "svdvals",
  in: place,
  params: { input: tensor, driver: optional(text) },
  build: (ctx, { input }) => given(singular(ctx, input, false)[1], input),
});

function symmetric(ctx: CallContext, input: Tensor, uplo: string) {
  const all = squareMatricesOf(ctx, "linalg.eigh", input);
  const factors = all.map((a) => eighOf(uplo.toUpperCase() === "U" ? transposed(a) : a));
  const n = input.shape.at(-1) as number;
  const values = stacked(
    ctx,
    input,
    [n],
    factors.map((factor) => factor.values),
  );
  const vectors = stacked(
    ctx,
    input,
    [n, n],
    factors.map((factor) => factor.vectors.data),
  );
  return differentiable(
    ctx.emit,
    ctx.store.read(input),
    [values, vectors],
    (emit, [dValues = null, dVectors = null], made) => {
      const [values, vectors] = made as [Value, Value];
      return eighGradient(emit, values, vectors, dValues, dVectors);
    },
  ) as readonly [Value, Value];
}

export const eigh = torchCall({
  name: "eigh",
  in: place,
  params: { input: tensor, UPLO: withDefault(text, "L") },
  returns: ["eigenvalues", "eigenvectors"],
  build: (ctx, { input, UPLO }): Result => {
    const [values, vectors] = symmetric(ctx, input, UPLO);
    return [given(values, input), given(vectors, input)];
  },
});

export const eigvalsh = torchCall({
  name: "eigvalsh",
  in: place,
  params: { input: tensor, UPLO: withDefault(text, "L") },
  build: (ctx, { input, UPLO }) => given(symmetric(ctx, input, UPLO)[0], input),
});

interface Tolerances {
  readonly atol: Tensor | Scalar | null;
  readonly rtol: Tensor | Scalar | null;
}

/**
 * Below which singular values count as 0: the larger of atol and rtol · the largest, where rtol is
 * max(rows, columns) · ε unless one of the two is given. Tensors have one for each matrix of a batch.
 */
function limits(ctx: CallContext, input: Tensor, { atol, rtol }: Tolerances) {
  const [rows, columns] = input.shape.slice(-2) as [number, number];
  const epsilon = input.dtype === "float64" ? 2 ** -52 : 2 ** -23;
  const numbersOf = (given: Tensor | Scalar | null, otherwise: number): ArrayLike<number> =>
    given === null ? [otherwise] : isTensor(given) ? ctx.store.numbers(given) : [given.value];
  const absolute = numbersOf(atol, 0);
  const isBare = rtol === null && Array.from(absolute).every((limit) => limit === 0);
  const relative = numbersOf(rtol, isBare ? Math.max(rows, columns) * epsilon : 0);
  const at = (numbers: ArrayLike<number>, index: number) => numbers[index % numbers.length] ?? 0;
  return (index: number, largest: number): number =>
    Math.max(at(absolute, index), at(relative, index) * largest);
}

/** The symmetric matrix of the lower triangle. */
function mirrored(a: Matrix): Matrix {
  const made = matrix(a.rows, a.columns);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < a.columns; j++)
      made.data[i * a.columns + j] = a.data[Math.max(i, j) * a.columns + Math.min(i, j)] as number;
  return made;
}

/** The singular values above max(rows, columns) · ε · the largest, or above tolerances that are given. */
export const matrixRank = torchCall({
  name: "matrix_rank",
  in: place,
  params: {
    input: tensor,
    tol: optional(operand),
    atol: keyword(optional(operand)),
    rtol: keyword(optional(operand)),
    hermitian: keyword(withDefault(bool, false)),
  },
  build: (ctx, { input, tol, atol, rtol, hermitian }) => {
    const all = matricesOf(ctx, "linalg.matrix_rank", input);
    const none: Scalar = { kind: "int", value: 0 };
    const given = tol === null ? { atol, rtol } : { atol: tol, rtol: none };
    const limitOf = limits(ctx, input, given);
    const ranks = all.map((a, at) => {
      const { values } = svdOf(hermitian ? mirrored(a) : a);
      const limit = limitOf(at, values[0] ?? 0);
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
    rcond: optional(operand),
    atol: keyword(optional(operand)),
    rtol: keyword(optional(operand)),
    hermitian: keyword(withDefault(bool, false)),
  },
  saves: ["input", "result"],
  build: (ctx, { input, rcond, atol, rtol, hermitian }) => {
    const isOfEach = (limit: Tensor | Scalar | null) =>
      !isTensor(limit) || sameShape(limit.shape, batchOf(input));
    const hasNone = numel(input.shape) === 0;
    if (!hasNone && ![atol, rtol, rcond].every(isOfEach)) leaveToPython();
    for (const [name, limit] of Object.entries({ atol, rtol: rtol ?? rcond }))
      refuseGradientOf(ctx, "linalg_pinv", name, isTensor(limit) ? limit : null);
    const limitOf = limits(ctx, input, { atol, rtol: rtol ?? rcond });
    const all = matricesOf(ctx, "linalg.pinv", input);
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    const pseudo = all.map((a, at) => {
      const { u, values, v } = svdOf(hermitian ? mirrored(a) : a);
      const limit = limitOf(at, values[0] ?? 0);
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
    const numbers = stacked(ctx, input, [columns, rows], pseudo);
    const a = ctx.store.read(input);
    const [made] = differentiable(
      ctx.emit,
      a,
      [numbers],
      (emit, [d = null], [pseudo]) => d && pinvGradient(emit, a, pseudo as Value, d),
    );
    return given(made as Value, input);
  },
});
export const pinverse = torchCall({ ...pinv, name: "pinverse", in: everywhere });
