/** Products of two tensors as matrices and vectors. */

import { torchError } from "../../errors.ts";
import { numel } from "../../graph/tensor.ts";
import { reshapeTo, transpose } from "../../ops/write.ts";
import { anything, tensor } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds } from "../kernels.ts";
import { isComplexType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { distinctAxes, viewStrides, wrapDim } from "../views.ts";
import { keptOfMatmul } from "./keptFactors.ts";
import {
  batchMisfit,
  broadcastBatch,
  isOfNothing,
  matrixMisfit,
  matrixVectorMisfit,
  needOneType,
  needRank,
  needSameBatchType,
  needSameScalarType,
  needSameType,
  sizeText,
  typeName,
  vectorMisfit,
} from "./matmulErrors.ts";
import { complexProduct, multiply } from "./matrices.ts";

const both = ["torch", "Tensor"] as const;

/** The product of two tensors whose shapes have been found to fit. */
export function product(ctx: CallContext, a: Tensor, b: Tensor): Typed {
  const type = typeOf(b);
  const kernel = kernelOf(a, b);
  // Of nothing PyTorch asks no kernel.
  if (kernel === "dot" || !isOfNothing(a, b)) refuseKinds(kernel, type, ["bool"]);
  const [x, y] = [ctx.as(a, type), ctx.as(b, type)];
  const typed = isComplexType(type)
    ? complexProduct(ctx.emit, x, y, (p, q) => multiply(ctx.emit, p, q))
    : multiply(ctx.emit, x, y);
  return { typed, as: type };
}

/** PyTorch's name of what multiplies such tensors. */
function kernelOf(a: Tensor, b: Tensor): string {
  const ranks = [a.shape.length, b.shape.length];
  if (ranks.every((rank) => rank === 1)) return "dot";
  if (ranks.includes(1)) return "addmv_impl_cpu";
  return Math.min(...ranks) === 2 ? "addmm_impl_cpu_" : "bmm";
}

export const matmul = torchCall({
  name: "matmul",
  in: ["torch", "Tensor", "torch.linalg"],
  params: { input: tensor, other: tensor },
  savesOf: ({ input, other }, requiresGrad) => keptOfMatmul(input, other, requiresGrad),
  build: (ctx, { input, other }) => {
    refuseMisfit(input, other);
    return product(ctx, input, other);
  },
});

function refuseMisfit(a: Tensor, b: Tensor): void {
  const [rankA, rankB] = [a.shape.length, b.shape.length];
  if (rankA === 0 || rankB === 0)
    throw torchError(
      "RuntimeError",
      `both arguments to matmul need to be at least 1D, but they are ${rankA}D and ${rankB}D`,
    );
  const k = a.shape.at(-1) as number;
  const inner = b.shape.at(rankB === 1 ? -1 : -2) as number;
  const rows = numel(a.shape.slice(0, -1));
  if (rankA === 1 && rankB === 1) {
    refuseVectors(a, b);
  } else if (rankB === 1) {
    needSameScalarType(a, b);
    if (k !== inner) throw matrixVectorMisfit(rows, rows, k, inner);
  } else if (rankB === 2) {
    if (k !== inner) throw matrixMisfit("mm", [rows, k], [inner, b.shape[1] as number]);
    needSameType(a, b);
  } else {
    const count = numel(broadcastBatch(a.shape.slice(0, -2), b.shape.slice(0, -2)));
    if (k !== inner) throw batchMisfit([count, k], [count, inner], k === b.shape.at(-1));
    if (rankA === 1) needSameScalarType(a, b);
    else needSameBatchType(a, b);
  }
}

function refuseVectors(a: Tensor, b: Tensor): void {
  if (typeOf(a) !== typeOf(b))
    throw torchError(
      "RuntimeError",
      `dot : expected both vectors to have same dtype, but found ${typeName(a)} and ${typeName(b)}`,
    );
  const [sizeA, sizeB] = [a.shape[0] as number, b.shape[0] as number];
  if (sizeA !== sizeB) throw vectorMisfit(sizeA, sizeB);
}

/** torch.Size as Python prints it. */
export const sizeOf = (tensor: Tensor): string => `torch.Size(${sizeText(tensor.shape)})`;

export const mm = torchCall({
  name: "mm",
  in: both,
  params: { input: tensor, mat2: tensor },
  saves: ["input", "mat2"],
  savesForOthers: true,
  build: (ctx, { input, mat2 }) => {
    needRank("mm: self must be a matrix", input, 2);
    needRank("mm: mat2 must be a matrix", mat2, 2);
    refuseMisfit(input, mat2);
    return product(ctx, input, mat2);
  },
});

/** Two batches of as many matrices that fit. */
export function needBatches(a: Tensor, b: Tensor): void {
  for (const [at, operand] of [a, b].entries())
    if (operand.shape.length !== 3)
      throw torchError("RuntimeError", `batch${at + 1} must be a 3D tensor`);
  const [batch, , k] = a.shape as [number, number, number];
  const [batchB, inner, columns] = b.shape as [number, number, number];
  if (batch !== batchB || k !== inner)
    throw batchMisfit([batch, k], [batchB, inner], batch === batchB && k === columns);
  needSameBatchType(a, b);
}

export const bmm = torchCall({
  name: "bmm",
  in: both,
  params: { input: tensor, mat2: tensor },
  saves: ["input", "mat2"],
  savesForOthers: true,
  build: (ctx, { input, mat2 }) => {
    needBatches(input, mat2);
    return product(ctx, input, mat2);
  },
});

export const mv = torchCall({
  name: "mv",
  in: both,
  params: { input: tensor, vec: tensor },
  saves: ["input", "vec"],
  savesForOthers: true,
  build: (ctx, { input, vec }) => {
    const [rank, rankOfVector] = [input.shape.length, vec.shape.length];
    if (rank !== 2 || rankOfVector !== 1)
      throw torchError(
        "RuntimeError",
        `vector + matrix @ vector expected, got 1, ${rank}, ${rankOfVector}`,
      );
    refuseMisfit(input, vec);
    return product(ctx, input, vec);
  },
});

export const dot = torchCall({
  name: "dot",
  in: both,
  params: { input: tensor, tensor },
  saves: ["input", "tensor"],
  savesForOthers: true,
  build: (ctx, { input, tensor: other }) => {
    const [rank, rankOfOther] = [input.shape.length, other.shape.length];
    if (rank !== 1 || rankOfOther !== 1)
      throw torchError(
        "RuntimeError",
        `1D tensors expected, but got ${rank}D and ${rankOfOther}D tensors`,
      );
    refuseVectors(input, other);
    return product(ctx, input, other);
  },
});

/** Sums over the last axis of both: […a, k] and […b, k] give […a, …b]. */
export const inner = torchCall({
  name: "inner",
  in: both,
  params: { input: tensor, other: tensor },
  saves: ["input", "other"],
  savesForOthers: true,
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const type = ctx.promote(input, other);
    const [x, y] = [ctx.as(input, type), ctx.as(other, type)];
    if (input.shape.length === 0 || other.shape.length === 0)
      return { typed: emit.op("Mul", [x, y]), as: type };
    needOneType(input, other);
    const k = input.shape.at(-1) as number;
    if (k !== other.shape.at(-1))
      throw torchError(
        "RuntimeError",
        `inner() the last dimension must match on both input tensors but got shapes ${sizeText(input.shape)} and ${sizeText(other.shape)}`,
      );
    if (!isOfNothing(input, other)) refuseKinds("addmm_impl_cpu_", type, ["bool"]);
    const columns = other.shape.slice(0, -1);
    const right = transpose(emit, reshapeTo(emit, y, [numel(columns), k]), [1, 0]);
    const shape = [...input.shape.slice(0, -1), ...columns];
    return { typed: reshapeTo(emit, multiply(emit, x, right), shape), as: type };
  },
});

/** Sums over pairs of axes: the last of the first tensor with the first of the second, or as named. */
export const tensordot = torchCall({
  name: "tensordot",
  in: ["torch"],
  params: { a: tensor, b: tensor, dims: { ...anything, fallback: { value: null } } },
  savesOf: ({ a, b, dims }, requiresGrad) => {
    const [axesA, axesB] = pairedAxes(a, b, dims);
    const sizes = axesA.map((axis, at) => [a.shape[axis], b.shape[axesB[at] as number]] as const);
    // What meets an axis of size 1 is added up first. What is no matrix as it lies is copied, unless
    // the sum is one number.
    const isNumber = isSummedUp(a, axesA) && isSummedUp(b, axesB);
    const isSummedA = sizes.some(([, q]) => q === 1);
    const isSummedB = sizes.some(([p, q]) => p === 1 && q !== 1);
    const isKept = (t: Tensor, axes: readonly number[], place: "first" | "last") =>
      isNumber || liesAsMatrix(t, axes, place);
    const keepsA = requiresGrad(b) && !isSummedA && isKept(a, axesA, "last");
    const keepsB = requiresGrad(a) && !isSummedB && isKept(b, axesB, "first");
    return [...(keepsA ? [a] : []), ...(keepsB ? [b] : [])];
  },
  build: (ctx, { a, b, dims }) => {
    const { emit } = ctx;
    needOneType(a, b);
    const type = typeOf(a);
    const [axesA, axesB] = pairedAxes(a, b, dims);
    const rest = (t: Tensor, axes: readonly number[]) =>
      t.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
    const [restA, restB] = [rest(a, axesA), rest(b, axesB)];
    const sizes = (t: Tensor, axes: readonly number[]) => axes.map((axis) => t.shape[axis] ?? 1);
    const [rows, columns] = [sizes(a, restA), sizes(b, restB)];
    // What meets an axis of size 1 is added up first.
    const alone = axesA.map((axis, at) => [a.shape[axis], b.shape[axesB[at] as number]] as const);
    const k = alone.reduce((n, [p = 1, q = 1]) => n * Math.min(p, q), 1);
    const summed = (t: Tensor, axes: readonly number[]) => {
      const long = axes.filter((axis, at) => t.shape[axis] !== 1 && alone[at]?.includes(1));
      const x = ctx.as(t, type);
      return long.length > 0 ? emit.op("ReduceSum", [x, emit.ints(long)], { keepdims: 1 }) : x;
    };
    const left = transpose(emit, summed(a, axesA), [...restA, ...axesA]);
    const right = transpose(emit, summed(b, axesB), [...axesB, ...restB]);
    const flat = multiply(
      emit,
      reshapeTo(emit, left, [numel(rows), k]),
      reshapeTo(emit, right, [k, numel(columns)]),
    );
    return { typed: reshapeTo(emit, flat, [...rows, ...columns]), as: type };
  },
});

/** Whether a tensor has no axes but `axes`, those of size 1 aside. */
const isSummedUp = ({ shape }: Tensor, axes: readonly number[]): boolean =>
  shape.every((size, axis) => size === 1 || axes.includes(axis));

/** Whether `axes` and the others of a tensor become the two of a matrix without a copy. */
function liesAsMatrix(
  { shape, strides }: Tensor,
  axes: readonly number[],
  place: "first" | "last",
): boolean {
  const rest = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const parts = place === "last" ? [rest, axes] : [axes, rest];
  const order = parts.flat();
  const turned = {
    shape: order.map((axis) => shape[axis] as number),
    strides: order.map((axis) => strides[axis] as number),
  };
  const sizes = parts.map((part) => numel(part.map((axis) => shape[axis] as number)));
  return viewStrides(turned, sizes) !== null;
}

function pairedAxes(a: Tensor, b: Tensor, dims: unknown): [number[], number[]] {
  const [listA, listB] = namedAxes(a, dims);
  if (listA.length !== listB.length)
    throw torchError("RuntimeError", "both dimension lists should have same length");
  const axesA = listA.map((dim) => wrapDim(dim, a.shape.length));
  const axesB = listB.map((dim) => wrapDim(dim, b.shape.length));
  axesA.forEach((axis, at) => {
    const [sizeA, sizeB] = [a.shape[axis], b.shape[axesB[at] as number]];
    if (sizeA !== sizeB && sizeA !== 1 && sizeB !== 1)
      throw torchError(
        "RuntimeError",
        `contracted dimensions need to match, but first has size ${sizeA} in dim ${listA[at]} and second has size ${sizeB} in dim ${listB[at]}`,
      );
  });
  return [distinctAxes(listA, a.shape.length), distinctAxes(listB, b.shape.length)];
}

/** An int counts axes; a pair of lists names them. */
function namedAxes(a: Tensor, dims: unknown): [number[], number[]] {
  const numbers = (arg: unknown): number[] =>
    Array.isArray(arg) ? arg.flatMap(numbers) : [(arg as { value: number }).value];
  if (Array.isArray(dims)) {
    if (dims.length !== 2)
      throw torchError("RuntimeError", "tensordot expects dims to be int or a pair of lists");
    return [numbers(dims[0]), numbers(dims[1])];
  }
  const count = dims === null ? 2 : (numbers(dims)[0] as number);
  if (count < 0)
    throw torchError("RuntimeError", `tensordot expects dims >= 0, but got dims=${count}`);
  if (count > a.shape.length)
    throw torchError(
      "RuntimeError",
      `tensordot expects dims < ndim_a or ndim_b, but got dims=${count}`,
    );
  return [
    Array.from({ length: count }, (_, i) => i - count),
    Array.from({ length: count }, (_, i) => i),
  ];
}

/** The block matrix of all products of an element of the first with the second. */
export const kron = torchCall({
  name: "kron",
  in: both,
  params: { input: tensor, other: tensor },
  saves: ["input", "other"],
  savesForOthers: true,
  build: (ctx, { input, other }) => {
    const { emit } = ctx;
    const type = ctx.promote(input, other);
    const rank = Math.max(input.shape.length, other.shape.length);
    const padded = (shape: readonly number[]) => [
      ...new Array<number>(rank - shape.length).fill(1),
      ...shape,
    ];
    const [sizesA, sizesB] = [padded(input.shape), padded(other.shape)];
    const spreadA = sizesA.flatMap((size) => [size, 1]);
    const spreadB = sizesB.flatMap((size) => [1, size]);
    const products = emit.op("Mul", [
      reshapeTo(emit, ctx.as(input, type), spreadA),
      reshapeTo(emit, ctx.as(other, type), spreadB),
    ]);
    const shape = sizesA.map((size, axis) => size * (sizesB[axis] as number));
    return { typed: reshapeTo(emit, products, shape), as: type };
  },
});
