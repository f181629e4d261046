/** Distinct values: how many there are is a question for the numbers. */
import { torchError } from "../../errors.ts";
import { allocate, contiguousStrides, type Numbers, numel } from "../../graph/tensor.ts";
import { int, optional, tensor, truth, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import type { Tensor } from "../tensor.ts";
import { wrapAxis } from "../views.ts";
import { underivable } from "./derivatives.ts";
import { int64 } from "./places.ts";

const both = ["torch", "Tensor"] as const;
const uniqueParams = {
  input: tensor,
  sorted: withDefault(truth, true),
  return_inverse: withDefault(truth, false),
  return_counts: withDefault(truth, false),
  dim: optional(int),
};

/** The distinct values (or slices along `dim`), in order. */
export const unique = torchCall({
  name: "unique",
  in: both,
  params: uniqueParams,
  build: (ctx, { input, dim, ...wanted }) => {
    const slices = slicesOf(ctx, input, dim);
    const order = slices.map((_, at) => at);
    order.sort((a, b) => compare(slices[a] as Numbers, slices[b] as Numbers) || a - b);
    const name = dim === null ? "_unique2" : "unique_dim";
    return distinct(ctx, input, dim, slices, order, wanted, name);
  },
});

export const uniqueConsecutive = torchCall({
  name: "unique_consecutive",
  in: both,
  params: {
    input: tensor,
    return_inverse: uniqueParams.return_inverse,
    return_counts: uniqueParams.return_counts,
    dim: optional(int),
  },
  build: (ctx, { input, dim, ...wanted }) => {
    const slices = slicesOf(ctx, input, dim);
    const order = slices.map((_, at) => at);
    return distinct(ctx, input, dim, slices, order, wanted, "unique_consecutive");
  },
});

/** The numbers of each slice along `dim`, or of each element. */
function slicesOf(ctx: CallContext, input: Tensor, dim: number | null): Numbers[] {
  const numbers = ctx.store.numbers(input);
  if (dim === null) return Array.from(numbers, (_, at) => numbers.subarray(at, at + 1));
  const axis = wrapAxis(dim, input.shape.length);
  const size = input.shape[axis] as number;
  const inner = numel(input.shape.slice(axis + 1));
  const outer = numel(input.shape.slice(0, axis));
  return Array.from({ length: size }, (_, k) => {
    const slice = allocate(input.dtype, outer * inner);
    for (let o = 0; o < outer; o++) {
      const from = (o * size + k) * inner;
      slice.set(numbers.subarray(from, from + inner), o * inner);
    }
    return slice;
  });
}

/** NaN last, and equal to nothing. */
function compare(a: Numbers, b: Numbers): number {
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    if (x < y || (!Number.isNaN(x) && Number.isNaN(y))) return -1;
    if (x > y || (Number.isNaN(x) && !Number.isNaN(y))) return 1;
  }
  return 0;
}

const isSame = (a: Numbers, b: Numbers): boolean => a.every((x, at) => x === b[at]);

/** One of each run of equal slices in `order`; in which run each slice is; how long the runs are. */
function distinct(
  ctx: CallContext,
  input: Tensor,
  dim: number | null,
  slices: readonly Numbers[],
  order: readonly number[],
  wanted: { readonly return_inverse: boolean; readonly return_counts: boolean },
  name: string,
) {
  const firsts: Numbers[] = [];
  const counts: number[] = [];
  const inverse = new Float64Array(slices.length);
  for (const at of order) {
    const slice = slices[at] as Numbers;
    const last = firsts.at(-1);
    if (last && isSame(last, slice)) counts.push((counts.pop() as number) + 1);
    else {
      firsts.push(slice);
      counts.push(1);
    }
    inverse[at] = firsts.length - 1;
  }
  const inverseShape = dim === null ? input.shape : [slices.length];
  const results = [
    withoutDerivative(ctx, input, joined(ctx, input, dim, firsts), name),
    ...(wanted.return_inverse ? [ctx.store.fromNumbers(int64, inverseShape, inverse)] : []),
    ...(wanted.return_counts
      ? [ctx.store.fromNumbers(int64, [counts.length], Float64Array.from(counts))]
      : []),
  ];
  return results.length === 1 ? (results[0] as Tensor) : results;
}

/** In PyTorch's graph where the input is, but nothing can be differentiated by it. */
function withoutDerivative(ctx: CallContext, input: Tensor, made: Tensor, name: string): Tensor {
  if (!ctx.emit.gradMode || !ctx.store.requiresGrad(input)) return made;
  const refusal = torchError(
    "NotImplementedError",
    `the derivative for '${name}' is not implemented.`,
  );
  const value = underivable(ctx.emit, ctx.store.read(made), [ctx.store.read(input)], refusal);
  return ctx.store.fromValue(value, made.isComplex, made.strides);
}

function joined(
  ctx: CallContext,
  input: Tensor,
  dim: number | null,
  slices: readonly Numbers[],
): Tensor {
  const type = { dtype: input.dtype, isComplex: false };
  if (dim === null) {
    const numbers = allocate(input.dtype, slices.length);
    slices.forEach((slice, at) => {
      numbers[at] = slice[0] as number;
    });
    return ctx.store.fromNumbers(type, [slices.length], numbers);
  }
  const axis = wrapAxis(dim, input.shape.length);
  const shape = input.shape.with(axis, slices.length);
  // One slice after the other: their axis is the outermost in memory.
  const [outermost, ...others] = contiguousStrides([
    slices.length,
    ...input.shape.toSpliced(axis, 1),
  ]);
  const strides = others.toSpliced(axis, 0, outermost as number);
  const numbers = allocate(input.dtype, numel(shape));
  slices.forEach((slice, k) => {
    numbers.set(slice, k * slice.length);
  });
  return ctx.store.fromNumbers(type, shape, numbers, strides);
}
