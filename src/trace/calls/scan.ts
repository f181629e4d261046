/** Running maxima and log-sums, differences, integrals. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { expandTo, reshapeTo, reverse, sliceAxis, zerosOf } from "../../ops/write.ts";
import { int, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import { inKernels, rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { withSlope } from "./curves.ts";
import { cat } from "./join.ts";
import { lined } from "./places.ts";
import { comparable } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;

/** Whole arrays at once in log₂ n steps: each element takes in the one 1, 2, 4, … places before it. */
function scan<T>(
  size: number,
  start: T,
  join: (all: T, earlier: { readonly to: number }, later: { readonly from: number }) => T,
): T {
  let all = start;
  for (let step = 1; step < size; step *= 2) all = join(all, { to: size - step }, { from: step });
  return all;
}

/** Of equals the last; a NaN stays. */
function extreme(name: "cummax" | "cummin", beats: "GreaterOrEqual" | "LessOrEqual") {
  return torchCall({
    name,
    in: both,
    params: { input: tensor, dim: int },
    returns: ["values", "indices"],
    savesFor: { input: ["input"] },
    keepsMask: true,
    moves: true,
    build: (ctx, { input, dim }) => {
      const { emit } = ctx;
      const axis = wrapDim(dim, input.shape.length);
      const x = lined(ctx, input);
      const places = placesAlong(emit, x, axis);
      const made = emit.grouped(
        [x],
        () => extremes(emit, comparable(ctx, x), places, axis, beats),
        (backward, [d]) => {
          if (!d) return [null];
          const zeros = zerosOf(backward, d.dtype, x.shape);
          const summed = [zeros, made[1] as Value, d];
          return [backward.op("ScatterElements", summed, { axis, reduction: "add" })];
        },
      );
      const [values, found] = made.map((value) => reshapeTo(emit, value, input.shape));
      return [
        { typed: values as Value, as: typeOf(input) },
        { typed: found as Value, as: "int64" },
      ];
    },
  });
}
export const cummax = extreme("cummax", "GreaterOrEqual");
export const cummin = extreme("cummin", "LessOrEqual");

function placesAlong(emit: Emit, x: Value, axis: number): Value {
  const size = x.shape[axis] as number;
  const along = emit.ints(Array.from({ length: size }, (_, k) => k));
  const row = x.shape.map((_, a) => (a === axis ? size : 1));
  return expandTo(emit, reshapeTo(emit, along, row), x.shape);
}

function extremes(
  emit: Emit,
  x: Value,
  places: Value,
  axis: number,
  beats: "GreaterOrEqual" | "LessOrEqual",
): Value[] {
  const size = x.shape[axis] ?? 1;
  const start = { value: x, place: places };
  const found = scan(size, start, ({ value, place }, earlier, later) => {
    const before = (v: Value) => sliceAxis(emit, v, axis, 0, earlier.to);
    const own = (v: Value) => sliceAxis(emit, v, axis, later.from, size);
    const first = (v: Value) => sliceAxis(emit, v, axis, 0, later.from);
    const keeps = emit.op(beats, [own(value), before(value)]);
    const stays = isFloat(x.dtype) ? emit.op("Or", [keeps, emit.op("IsNaN", [own(value)])]) : keeps;
    const joined = (v: Value) =>
      emit.op("Concat", [first(v), emit.op("Where", [stays, own(v), before(v)])], { axis });
    return { value: joined(value), place: joined(place) };
  });
  if (found.value !== x) return [found.value, found.place];
  return [emit.op("Identity", [x]), emit.op("Identity", [places])];
}

/** ln Σ_{j ≤ i} e^x_j */
export const logcumsumexp = torchCall({
  name: "logcumsumexp",
  in: both,
  params: { input: tensor, dim: int },
  saves: ["input", "result"],
  build: (ctx, { input, dim }) => {
    const { emit } = ctx;
    const type = typeOf(input);
    const axis = wrapDim(dim, input.shape.length);
    if (isComplexType(type) || !isFloat(type))
      throw torchError(
        "NotImplementedError",
        `"logcumsumexp_out_cpu" not implemented for '${cppName(type)}'`,
      );
    const x = ctx.as(input, type);
    if (x.shape.length === 0) return { typed: emit.op("Identity", [x]), as: type };
    const y = withSlope(
      emit,
      x,
      () => {
        const sums = runningLogSum(emit, x, axis);
        return sums === x ? emit.op("Identity", [x]) : sums;
      },
      (backward, y, d) => {
        const slope = backward.gradMode ? logSumSlopeOfPairs : logSumSlope;
        return slope(backward, { x, y, d, axis, type });
      },
    );
    return { typed: y, as: type };
  },
});

function runningLogSum(emit: Emit, x: Value, axis: number): Value {
  const size = x.shape[axis] ?? 1;
  return scan(size, x, (all, earlier, later) => {
    const before = sliceAxis(emit, all, axis, 0, earlier.to);
    const own = sliceAxis(emit, all, axis, later.from, size);
    const first = sliceAxis(emit, all, axis, 0, later.from);
    return emit.op("Concat", [first, logSum(emit, own, before)], { axis });
  });
}

/** ln(e^a + e^b); equal infinities, which have no difference, as they are. */
export function logSum(emit: Emit, a: Value, b: Value): Value {
  const high = emit.op("Max", [a, b]);
  const distance = emit.op("Abs", [emit.op("Sub", [a, b])]);
  const one = emit.scalar(1, a.dtype);
  const tail = emit.op("Log", [
    emit.op("Add", [one, emit.op("Exp", [emit.op("Neg", [distance])])]),
  ]);
  return emit.op("Where", [emit.op("IsInf", [high]), high, emit.op("Add", [high, tail])]);
}

interface RunningSum {
  readonly x: Value;
  readonly y: Value;
  readonly d: Value;
  readonly axis: number;
  readonly type: TorchType;
}

/** dx_j = Σ_{i ≥ j} dy_i · e^(x_j − y_i), in logarithms: positive and negative dy apart. */
function logSumSlope(emit: Emit, { x, y, d, axis, type }: RunningSum): Value {
  const step = inKernels(emit, type);
  const result = rounded(emit, y, type);
  const none = emit.scalar(Number.NEGATIVE_INFINITY, x.dtype);
  const zero = emit.scalar(0, x.dtype);
  const part = (size: Value, isPart: Value) => {
    const logs = emit.op("Where", [isPart, step.op("Log", [size]), none]);
    const back = reverse(emit, step.op("Sub", [logs, result]), [axis]);
    const sums = rounded(emit, runningLogSum(emit, back, axis), type);
    return step.op("Exp", [step.op("Add", [reverse(emit, sums, [axis]), x])]);
  };
  const up = part(d, emit.op("Greater", [d, zero]));
  const down = part(emit.op("Neg", [d]), emit.op("Less", [d, zero]));
  return emit.op("Sub", [up, down]);
}

/** The same of all pairs j ≤ i, whose logarithms are none of which a derivative is infinite. */
function logSumSlopeOfPairs(emit: Emit, { x, y, d, axis }: RunningSum): Value {
  const size = x.shape[axis] as number;
  const apart = (value: Value, at: number) => emit.op("Unsqueeze", [value, emit.ints([at])]);
  const later = [size, size, ...x.shape.slice(axis + 1).map(() => 1)];
  const data = Uint8Array.from({ length: size * size }, (_, k) =>
    k % size <= Math.floor(k / size) ? 1 : 0,
  );
  const isBefore = emit.constant({ dtype: "bool", shape: later, data });
  const distance = emit.op("Sub", [apart(x, axis), apart(y, axis + 1)]);
  const none = emit.scalar(Number.NEGATIVE_INFINITY, x.dtype);
  const shares = emit.op("Exp", [emit.op("Where", [isBefore, distance, none])]);
  const parts = emit.op("Mul", [apart(d, axis + 1), shares]);
  return emit.op("ReduceSum", [parts, emit.ints([axis])], { keepdims: 0 });
}

/** The n-th differences along an axis. */
export const diff = torchCall({
  name: "diff",
  in: both,
  params: {
    input: tensor,
    n: withDefault(int, 1),
    dim: withDefault(int, -1),
    prepend: optional(tensor),
    append: optional(tensor),
  },
  moves: true,
  build: (ctx, { input, n, dim, prepend, append }) => {
    if (input.shape.length === 0)
      throw torchError("RuntimeError", "diff expects input to be at least one-dimensional");
    if (n < 0) throw torchError("RuntimeError", `order must be non-negative but got ${n}`);
    const axis = wrapDim(dim, input.shape.length);
    const joined = n === 0 ? input : extended(ctx, input, axis, prepend, append);
    const size = joined.shape[axis] as number;
    const x = ctx.store.read(joined);
    const as = typeOf(joined);
    if (n >= size) return { typed: sliceAxis(ctx.emit, x, axis, 0, 0), as };
    let y = x;
    for (let order = 0; order < n; order++) y = difference(ctx.emit, y, axis);
    return { typed: n === 0 ? ctx.emit.op("Identity", [x]) : y, as };
  },
});

function extended(
  ctx: CallContext,
  input: Tensor,
  axis: number,
  prepend: Tensor | null,
  append: Tensor | null,
): Tensor {
  const ends = [prepend, append].filter((end) => end !== null);
  if (ends.length === 0) return input;
  if (ends.some((end) => end.shape.length !== input.shape.length))
    throw torchError(
      "RuntimeError",
      "diff expects prepend or append to be the same dimension as input",
    );
  const parts = [prepend, input, append].filter((part) => part !== null);
  const { typed } = cat.build(ctx, { tensors: parts, dim: axis }) as Typed;
  return ctx.store.fromValue(typed, input.isComplex);
}

export function difference(emit: Emit, x: Value, axis: number): Value {
  const size = x.shape[axis] as number;
  const [later, earlier] = [
    sliceAxis(emit, x, axis, 1, size),
    sliceAxis(emit, x, axis, 0, size - 1),
  ];
  if (x.dtype === "bool") return emit.op("Xor", [later, earlier]);
  return emit.op("Sub", [later, earlier]);
}
