/** Powers and statistics of vectors: Vandermonde's matrix, covariance, windows of signals. */

import { editedAfterSave, torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, sliceAxis, swapLastTwo } from "../../ops/write.ts";
import {
  bool,
  type DTypeArg,
  dtype,
  float,
  int,
  keyword,
  optional,
  tensor,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { isComplexType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { nativeNames } from "../typeNames.ts";
import { reshaped } from "../views.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { complexMultiply } from "./complexNumbers.ts";
import { generated } from "./create.ts";
import { underivable } from "./derivatives.ts";
import { multiply } from "./matrices.ts";

const both = ["torch", "Tensor"] as const;

/** Powers of each number in columns, the highest first. PyTorch edits what its gradient would need. */
export const vander = torchCall({
  name: "vander",
  in: ["torch"],
  params: { x: tensor, N: optional(int), increasing: withDefault(bool, false) },
  build: (ctx, { x, N, increasing }): Typed => {
    if (x.shape.length !== 1)
      throw torchError("RuntimeError", "x must be a one-dimensional tensor.");
    const [rows] = x.shape as [number];
    const count = N ?? rows;
    const made = powers(ctx, x, count, increasing);
    if (count < 2) return made;
    const edited = { dtype: typeOf(x), shape: [rows, count - 1] };
    const error = editedAfterSave(edited, "vander", { found: 3, expected: 2 }, null);
    return { ...made, typed: underivable(ctx.emit, made.typed, [ctx.store.read(x)], error) };
  },
});

/** torch.linalg.vander: the lowest first, of each number on the last axis. */
export const linalgVander = torchCall({
  name: "vander",
  key: "linalg.vander",
  in: ["torch.linalg"],
  params: { x: tensor, N: keyword(optional(int)) },
  saves: ["x"],
  build: (ctx, { x, N }): Typed => {
    if (N !== null && N < 2) throw torchError("RuntimeError", "N must be greater than 1.");
    const row = x.shape.length > 0 ? x : reshaped(ctx.store, x, [1], [1]);
    return powers(ctx, row, N ?? (row.shape.at(-1) as number), true);
  },
});

function powers(ctx: CallContext, input: Tensor, count: number, increasing: boolean): Typed {
  const { emit } = ctx;
  const as = isFloat(input.dtype) ? typeOf(input) : "int64";
  const x = ctx.as(input, as);
  const column = emit.op("Unsqueeze", [x, emit.ints([input.shape.length])]);
  const one = expandTo(emit, ctx.as({ kind: "int", value: 1 }, as), column.shape);
  const columns = [one];
  while (columns.length < count) {
    const last = columns.at(-1) as Value;
    columns.push(
      input.isComplex ? complexMultiply(emit, last, column) : emit.op("Mul", [last, column]),
    );
  }
  if (count === 0) columns[0] = sliceAxis(emit, one, input.shape.length, 0, 0);
  const ordered = increasing ? columns : columns.reverse();
  return { typed: emit.op("Concat", ordered, { axis: input.shape.length }), as };
}

/** Σ (x − mean)(y − mean)ᵀ / (n − correction) of variables in rows. */
function covariance(ctx: CallContext, input: Tensor, correction: number): Value {
  const { emit } = ctx;
  if (input.shape.length > 2)
    throw torchError(
      "RuntimeError",
      `cov(): expected input to have two or fewer dimensions but got an input with ${input.shape.length} dimensions`,
    );
  if (input.dtype === "bool")
    throw torchError("NotImplementedError", "cov(): bool dtype is not supported for input");
  const type = ctx.promoteToFloat(input);
  if (isComplexType(type)) leaveToPython();
  const given = ctx.as(input, type);
  const x = input.shape.length < 2 ? reshapeTo(emit, given, [1, input.shape[0] ?? 1]) : given;
  const mean = emit.op("ReduceMean", [x, emit.ints([1])], { keepdims: 1 });
  const centred = emit.op("Sub", [x, mean]);
  const product = multiply(emit, centred, swapLastTwo(emit, centred));
  const freedom = Math.max(0, (x.shape[1] as number) - correction);
  return emit.op("Div", [product, emit.scalar(freedom, x.dtype)]);
}

const squeezed = (ctx: CallContext, table: Value): Value =>
  numel(table.shape) === 1 ? reshapeTo(ctx.emit, table, []) : table;

export const cov = torchCall({
  name: "cov",
  in: both,
  params: {
    input: tensor,
    correction: keyword(withDefault(int, 1)),
    fweights: keyword(optional(tensor)),
    aweights: keyword(optional(tensor)),
  },
  build: (ctx, { input, correction, fweights, aweights }) => {
    if (fweights || aweights) leaveToPython();
    return squeezed(ctx, covariance(ctx, input, correction));
  },
});

/** The covariance over both deviations, limited to [−1, 1]. */
export const corrcoef = torchCall({
  name: "corrcoef",
  in: both,
  params: { input: tensor },
  build: (ctx, { input }) => {
    const { emit } = ctx;
    const table = covariance(ctx, input, 1);
    const n = table.shape[0] as number;
    const places = emit.constant({
      dtype: "int64",
      shape: [n, 1],
      data: Float64Array.from({ length: n }, (_, i) => i * (n + 1)),
    });
    const flat = reshapeTo(emit, table, [n * n]);
    const variances = emit.op("GatherND", [flat, places]);
    const deviations = emit.op("Sqrt", [variances]);
    const rows = emit.op("Div", [table, reshapeTo(emit, deviations, [n, 1])]);
    const ratio = emit.op("Div", [rows, reshapeTo(emit, deviations, [1, n])]);
    const [low, high] = [emit.scalar(-1, ratio.dtype), emit.scalar(1, ratio.dtype)];
    return squeezed(ctx, emit.op("Clip", [ratio, low, high]));
  },
});

/** w(k) of a window of n points: of its period's n, or of both ends' n − 1. */
function window(name: string, weigh: (turn: number) => number) {
  return torchCall({
    name,
    in: ["torch"],
    params: {
      window_length: int,
      periodic: withDefault(bool, true),
      dtype: keyword(optional(dtype)),
    },
    build: (ctx, { window_length: n, periodic, dtype: asked }) =>
      windowed(ctx, name, n, periodic, asked, weigh),
  });
}

function windowed(
  ctx: CallContext,
  name: string,
  n: number,
  periodic: boolean,
  asked: DTypeArg | null,
  weigh: (turn: number) => number,
): Tensor {
  const type = asked ?? { dtype: ctx.defaultFloat, isComplex: false };
  if (!isFloat(type.dtype))
    throw torchError(
      "RuntimeError",
      `${name} expects floating point dtypes, got: ${nativeNames[type.dtype]}`,
    );
  if (n < 0)
    throw torchError("RuntimeError", `requires non-negative window_length, got window_length=${n}`);
  const period = periodic ? n : n - 1;
  return generated(ctx, type, n, (k) => (n === 1 ? 1 : weigh(k / period)));
}

const cosine = (turn: number): number => Math.cos(2 * Math.PI * turn);
export const hannWindow = window("hann_window", (turn) => 0.5 - 0.5 * cosine(turn));
export const bartlettWindow = window("bartlett_window", (turn) => 1 - Math.abs(2 * turn - 1));
export const blackmanWindow = window(
  "blackman_window",
  (turn) => 0.42 - 0.5 * cosine(turn) + 0.08 * cosine(2 * turn),
);
export const hammingWindow = torchCall({
  name: "hamming_window",
  in: ["torch"],
  params: {
    window_length: int,
    periodic: withDefault(bool, true),
    alpha: withDefault(float, 0.54),
    beta: withDefault(float, 0.46),
    dtype: keyword(optional(dtype)),
  },
  build: (ctx, { window_length: n, periodic, alpha, beta, dtype: asked }) =>
    windowed(ctx, "hamming_window", n, periodic, asked, (turn) => alpha - beta * cosine(turn)),
});
