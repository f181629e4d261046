/**
 * torch.linalg: inverses, determinants and Cholesky's factor. Their numbers are computed where the call
 * is traced; gradients need no more than the inverse.
 */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, numel, sameShape } from "../../graph/tensor.ts";
import { reshapeTo, swapLastTwo } from "../../ops/write.ts";
import { bool, int, keyword, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { cholesky as choleskyOf, identity, inverse, type Matrix } from "../decompositions.ts";
import { computeType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { withSlope } from "./curves.ts";
import { unreached } from "./derivatives.ts";
import { triangle } from "./factorGradients.ts";
import {
  batchOf,
  everywhere,
  given,
  knownInverse,
  place,
  squareMatricesOf,
  stacked,
} from "./knownMatrices.ts";

const times = (emit: Emit, ...factors: Value[]): Value =>
  factors.reduce((product, factor) => emit.op("MatMul", [product, factor]));

/** A⁻¹: known numbers in the graph, under the gradient −A⁻ᵀ · d · A⁻ᵀ. */
export function inverseOf(ctx: CallContext, name: string, input: Tensor): Value {
  const inverses = squareMatricesOf(ctx, name, input).map((a) => {
    const found = inverse(a);
    if (found.singularAt === null) return found.inverse.data;
    throw torchError(
      "_LinAlgError",
      `${name}: The diagonal element ${found.singularAt + 1} is zero, the inversion could not be completed because the input matrix is singular.`,
    );
  });
  const n = input.shape.at(-1) as number;
  return knownInverse(ctx.emit, ctx.store.read(input), stacked(ctx, input, [n, n], inverses));
}

export const inv = torchCall({
  name: "inv",
  in: place,
  params: { input: tensor },
  savesFor: { input: ["result"] },
  build: (ctx, { input }) => given(inverseOf(ctx, "linalg.inv", input), input),
});
export const inverseCall = torchCall({ ...inv, name: "inverse", in: everywhere });

/** The inverse of a matrix whose numbers are there already. */
export const heldInverse = torchCall({
  name: "_held_inverse",
  in: ["torch._C"],
  params: { input: tensor, inverse: tensor },
  build: (ctx, { input, inverse }) => {
    const numbers = ctx.store.read(inverse);
    return given(knownInverse(ctx.emit, ctx.store.read(input), numbers), input);
  },
});

/** X with A X = B, by the inverse. */
export const solve = torchCall({
  name: "solve",
  in: place,
  params: { A: tensor, B: tensor, left: withDefault(bool, true) },
  savesFor: { A: ["A", "result"], B: ["A", "result"] },
  build: (ctx, { A, B, left }) => {
    const { emit } = ctx;
    const x = ctx.store.read(B);
    const turned = inverseOf(ctx, "torch.linalg.solve", A);
    const isVector = B.shape.length === 1 || sameShape(B.shape, A.shape.slice(0, -1));
    const column = isVector ? reshapeTo(emit, x, [...x.shape, 1]) : x;
    const found = solved(emit, ctx.store.read(A), turned, column, left);
    return given(isVector ? reshapeTo(emit, found, x.shape) : found, B);
  },
});

/** A⁻¹ B, or B A⁻¹: dB is A⁻ᵀ d, and dA is −dB Xᵀ. */
function solved(emit: Emit, a: Value, inverse: Value, b: Value, left: boolean): Value {
  const [x] = emit.grouped(
    [a, b],
    () => [left ? times(emit, inverse, b) : times(emit, b, inverse)],
    (backward, [d], isWanted) => {
      if (!d || !x) return [null, null];
      const [turned, flipped] = [inverse, x].map((each) => swapLastTwo(backward, each)) as [
        Value,
        Value,
      ];
      const dB = left ? times(backward, turned, d) : times(backward, d, turned);
      if (!isWanted(a)) return [null, dB];
      const product = left ? times(backward, dB, flipped) : times(backward, flipped, dB);
      return [backward.op("Neg", [product]), dB];
    },
  );
  return x as Value;
}

/** ln |A| or |A| of each matrix: its gradient is A⁻ᵀ, times the determinant itself. */
function determinant(ctx: CallContext, name: string, input: Tensor, isLog: boolean) {
  const all = squareMatricesOf(ctx, name, input).map((a) => inverse(a));
  const numbers = all.map(({ determinant }) => determinant);
  const n = input.shape.at(-1) as number;
  const signs = stacked(
    ctx,
    input,
    [],
    numbers.map((x) => [Math.sign(x)]),
  );
  const values = stacked(
    ctx,
    input,
    [],
    numbers.map((x) => [isLog ? Math.log(Math.abs(x)) : x]),
  );
  const inverses = stacked(
    ctx,
    input,
    [n, n],
    all.map(({ inverse }) => inverse.data),
  );
  const a = ctx.store.read(input);
  const value = withSlope(
    ctx.emit,
    a,
    () => ctx.emit.op("Identity", [values]),
    (backward, y, d) => {
      const share = isLog ? d : backward.op("Mul", [d, y]);
      const turned = swapLastTwo(backward, knownInverse(backward, a, inverses));
      return backward.op("Mul", [reshapeTo(backward, share, [...batchOf(input), 1, 1]), turned]);
    },
  );
  return { value, signs };
}

export const det = torchCall({
  name: "det",
  in: [...everywhere, ...place],
  params: { input: tensor },
  savesFor: { input: ["input", "result"] },
  build: (ctx, { input }) => given(determinant(ctx, "linalg.det", input, false).value, input),
});

export const slogdet = torchCall({
  name: "slogdet",
  in: [...everywhere, ...place],
  params: { input: tensor },
  returns: ["sign", "logabsdet"],
  savesFor: { input: ["input", "result0"] },
  build: (ctx, { input }): Result => {
    const { value, signs } = determinant(ctx, "linalg.slogdet", input, true);
    const sign = unreached(ctx.emit, signs, ctx.store.read(input));
    return [given(sign, input), given(value, input)];
  },
});

export const logdet = torchCall({
  name: "logdet",
  in: everywhere,
  params: { input: tensor },
  savesFor: { input: ["input"] },
  build: (ctx, { input }) => {
    const { emit } = ctx;
    const { value, signs } = determinant(ctx, "logdet", input, true);
    const isNegative = emit.op("Less", [signs, emit.scalar(0, signs.dtype)]);
    return given(
      emit.op("Where", [isNegative, emit.scalar(Number.NaN, value.dtype), value]),
      input,
    );
  },
});

const lowerPart = (emit: Emit, x: Value): Value => triangle(emit, x, 0, 0);

/** L with A = L Lᵀ; dA is half of L⁻ᵀ (P + Pᵀ) L⁻¹, P the lower half of Lᵀ dL. */
function lowerFactor(ctx: CallContext, name: string, input: Tensor): Value {
  const { emit } = ctx;
  const n = input.shape.at(-1) as number;
  const factors = squareMatricesOf(ctx, name, input).map((a) => {
    const { lower, failedAt } = choleskyOf(a);
    if (failedAt === null) return lower;
    throw torchError(
      "_LinAlgError",
      `${name}: The factorization could not be completed because the input is not positive-definite (the leading minor of order ${failedAt} is not positive-definite).`,
    );
  });
  const numbers = stacked(
    ctx,
    input,
    [n, n],
    factors.map(({ data }) => data),
  );
  const inverses = stacked(
    ctx,
    input,
    [n, n],
    factors.map((l) => inverse(l).inverse.data),
  );
  return withSlope(
    emit,
    ctx.store.read(input),
    () => emit.op("Identity", [numbers]),
    (backward, l, d) => {
      const product = times(backward, swapLastTwo(backward, l), d);
      const zero = backward.scalar(0, "int64");
      const lower = backward.op("Trilu", [product, zero], { upper: 0 });
      const strict = backward.op("Trilu", [product, backward.scalar(-1, "int64")], { upper: 0 });
      // Twice P less its diagonal, and its mirror: the diagonal counts once in all.
      const sum = backward.op("Add", [lower, swapLastTwo(backward, strict)]);
      const inverted = knownInverse(backward, l, inverses, lowerPart);
      const full = times(backward, swapLastTwo(backward, inverted), sum, inverted);
      return backward.op("Mul", [full, backward.scalar(0.5, full.dtype)]);
    },
  );
}

/** For each matrix the order of the leading minor that is not positive-definite, 0 where all are. */
export const choleskyInfo = torchCall({
  name: "_cholesky_info",
  in: ["torch._C"],
  params: { input: tensor },
  build: (ctx, { input }) => {
    const all = squareMatricesOf(ctx, "linalg.cholesky_ex", input);
    const failed = Float64Array.from(all, (a) => choleskyOf(a).failedAt ?? 0);
    const type = { dtype: "int32", isComplex: false } as const;
    return ctx.store.fromNumbers(type, input.shape.slice(0, -2), Int32Array.from(failed));
  },
});

export const cholesky = torchCall({
  name: "cholesky",
  in: place,
  params: { input: tensor, upper: withDefault(bool, false) },
  savesFor: { input: ["result"] },
  build: (ctx, { input, upper }) => {
    const l = lowerFactor(ctx, "linalg.cholesky", input);
    return given(upper ? swapLastTwo(ctx.emit, l) : l, input);
  },
});
/** The identity in the tensor's type, without batch axes. */
function unit(ctx: CallContext, input: Tensor, n: number): Value {
  const dtype = computeType(input.dtype);
  const data = allocate(dtype, n * n);
  data.set(identity(n).data);
  return ctx.emit.constant({ dtype, shape: [n, n], data });
}

/** A · A · …, n times; of a negative n the inverse. */
export const matrixPower = torchCall({
  name: "matrix_power",
  in: [...everywhere, ...place],
  params: { input: tensor, n: int },
  saves: ({ n }) => (n === -1 ? ["result"] : n > 1 ? ["input"] : []),
  build: (ctx, { input, n }) => {
    const { emit } = ctx;
    const [rows, columns] = input.shape.slice(-2) as [number, number];
    if (rows !== columns)
      throw torchError(
        "RuntimeError",
        `linalg.matrix_power: A must be batches of square matrices, but they are ${rows} by ${columns} matrices`,
      );
    if (n === 0) {
      const one = batchCount(input, identity(rows));
      const made = stacked(ctx, input, [rows, rows], one);
      return given(unreached(ctx.emit, made, ctx.store.read(input)), input);
    }
    const base = n < 0 ? inverseOf(ctx, "linalg.inv", input) : ctx.as(input, typeOf(input));
    let power: Value | null = null;
    let square = base;
    for (let left = Math.abs(n); left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) power = power ? times(emit, power, square) : square;
      if (left > 1) square = times(emit, square, square);
    }
    return given(emit.op("Identity", [power as Value]), input);
  },
});

const batchCount = (input: Tensor, m: Matrix) =>
  Array.from({ length: numel(batchOf(input)) }, () => m.data);

/** The triangle's inverse times B; `left` of B or right of it. */
export const solveTriangular = torchCall({
  name: "solve_triangular",
  in: place,
  params: {
    A: tensor,
    B: tensor,
    upper: keyword(bool),
    left: keyword(withDefault(bool, true)),
    unitriangular: keyword(withDefault(bool, false)),
  },
  savesFor: { A: ["A", "result"], B: ["A", "result"] },
  build: (ctx, { A, B, upper, left, unitriangular }) => {
    const { emit } = ctx;
    const k = emit.scalar(unitriangular ? (upper ? 1 : -1) : 0, "int64");
    const part = emit.op("Trilu", [ctx.store.read(A), k], { upper: upper ? 1 : 0 });
    const n = A.shape.at(-1) as number;
    const whole = unitriangular ? emit.op("Add", [part, unit(ctx, A, n)]) : part;
    const turned = inverseOf(ctx, "linalg.solve_triangular", ctx.store.fromValue(whole, false));
    return given(solved(emit, whole, turned, ctx.store.read(B), left), B);
  },
});
