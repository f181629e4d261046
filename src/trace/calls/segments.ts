/** segment_reduce: sums, products and extremes of runs of elements that lie one after another. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo, expandTo, reshapeTo } from "../../ops/write.ts";
import {
  bool,
  int,
  keyword,
  optional,
  type Scalar,
  scalar,
  tensor,
  text,
  withDefault,
} from "../arguments.ts";
import { type CallContext, type Typed, torchCall } from "../call.ts";
import { refuseKinds, refuseOverflow } from "../kernels.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { wrapDim } from "../views.ts";
import { nanWhereAny, reduce } from "./reduction.ts";

const reductions = {
  sum: { op: "ReduceSum", neutral: 0 },
  mean: { op: "ReduceSum", neutral: 0 },
  prod: { op: "ReduceProd", neutral: 1 },
  max: { op: "ReduceMax", neutral: Number.NEGATIVE_INFINITY },
  min: { op: "ReduceMin", neutral: Number.POSITIVE_INFINITY },
} as const;
type Reduction = keyof typeof reductions;

const names: Readonly<Record<string, Reduction>> = {
  ...{ sum: "sum", mean: "mean", prod: "prod" },
  ...{ max: "max", amax: "max", min: "min", amin: "min" },
};

/** Runs [start, start + length) of the axis, for each place on the axes before it. */
interface Segments {
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

/** `data` with its axis cut into runs, as `lengths` or `offsets` say, each of which is reduced to one. */
export const segmentReduce = torchCall({
  name: "segment_reduce",
  in: ["torch"],
  params: {
    data: tensor,
    reduce: text,
    lengths: keyword(optional(tensor)),
    indices: keyword(optional(tensor)),
    offsets: keyword(optional(tensor)),
    axis: keyword(withDefault(int, 0)),
    unsafe: keyword(withDefault(bool, false)),
    initial: keyword(optional(scalar)),
  },
  saves: ["data", "lengths", "offsets", "result"],
  build: (
    ctx,
    { data, reduce: name, lengths, indices, offsets, axis: dim, unsafe, initial },
  ): Typed => {
    if (indices !== null) fail("indices based reduction is not supported yet.");
    const axis = wrapDim(dim, data.shape.length);
    const given = offsets ?? lengths;
    if (given === null) return fail("Either lengths or offsets must be defined.");
    const reduction = reductionOf(name);
    const kind = offsets === null ? "lengths" : "offsets";
    refuseTable(data, given, kind, axis);
    const table = Array.from(ctx.store.numbers(given), Number);
    const size = data.shape[axis] as number;
    const perRow = given.shape[axis] as number;
    if (offsets === null && !unsafe) refuseLengths(table, perRow, size);
    refuseKinds("_segment_reduce_cpu", typeOf(data), ["bool", "integer", "complex"]);
    if (initial !== null) refuseOverflow(initial, typeOf(data));
    const segments = kind === "lengths" ? ofLengths(table, perRow) : ofOffsets(table, perRow);
    const typed = reduceSegments(ctx, data, axis, segments, reduction, initial);
    return { typed, as: typeOf(data) };
  },
});

function fail(text: string): never {
  throw torchError("RuntimeError", `segment_reduce(): ${text}`);
}

function reductionOf(name: string): Reduction {
  const found = names[name];
  if (found !== undefined) return found;
  const known = "reduce argument must be either sum, prod, mean, amax or amin";
  throw torchError("RuntimeError", `${known}, got ${name}`);
}

function refuseTable(data: Tensor, table: Tensor, kind: "lengths" | "offsets", axis: number): void {
  if (table.shape.length > data.shape.length) throw expected(`data.dim() >= ${kind}_value.dim()`);
  if (axis !== table.shape.length - 1)
    fail(`Expected axis to be the last dimension of ${kind} but got ${axis}.`);
  if (table.dtype !== "int64" && table.dtype !== "int32")
    throw torchError(
      "NotImplementedError",
      `"_segment_reduce_${kind}_cpu_kernel1" not implemented for '${cppName(typeOf(table))}'`,
    );
}

const expected = (condition: string): Error =>
  torchError(
    "RuntimeError",
    `Expected ${condition} to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)`,
  );

function refuseLengths(lengths: readonly number[], perRow: number, size: number): void {
  if (lengths.length === 0)
    throw torchError(
      "RuntimeError",
      "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
    );
  if (lengths.some((length) => length < 0))
    throw torchError("RuntimeError", "lengths contains negative value!");
  const sums = rowsOf(lengths, perRow).map((row) => row.reduce((a, b) => a + b, 0));
  if (sums.some((sum) => sum !== size))
    fail(
      "Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.",
    );
}

const rowsOf = (table: readonly number[], perRow: number): number[][] =>
  Array.from({ length: perRow === 0 ? 0 : table.length / perRow }, (_, row) =>
    table.slice(row * perRow, (row + 1) * perRow),
  );

/** Each row begins at 0. */
function ofLengths(table: readonly number[], perRow: number): Segments {
  const starts = rowsOf(table, perRow).flatMap((row) => {
    let end = 0;
    return row.map((length) => {
      end += length;
      return end - length;
    });
  });
  return { starts, lengths: table };
}

/** Each run ends where the next one begins. */
function ofOffsets(table: readonly number[], perRow: number): Segments {
  const rows = rowsOf(table, perRow);
  return {
    starts: rows.flatMap((row) => row.slice(0, -1)),
    lengths: rows.flatMap((row) => row.slice(1).map((end, at) => end - (row[at] as number))),
  };
}

function reduceSegments(
  ctx: CallContext,
  data: Tensor,
  axis: number,
  segments: Segments,
  reduction: Reduction,
  initial: Scalar | null,
): Value {
  const { emit } = ctx;
  const { starts, lengths } = segments;
  const size = data.shape[axis] as number;
  const before = data.shape.slice(0, axis);
  const after = data.shape.slice(axis + 1);
  const outer = numel(before);
  const count = outer === 0 ? 0 : starts.length / outer;
  refuseBeyond(segments, size);

  const longest = lengths.reduce((a, b) => Math.max(a, b), 0);
  const shape = [outer, count, longest];
  const rows = reshapeTo(emit, ctx.read(data), [outer * size, numel(after)]);
  const index = integers(emit, shape, placesOf(starts, lengths, longest, count, size));
  const elements = emit.op("Gather", [rows, index], { axis: 0 });
  const runs: Runs = {
    ...{ elements, reduction },
    taken: takenOf(emit, lengths, [...shape, 1]),
    divisors: divisorsOf(emit, lengths, reduction === "mean" && initial === null, elements),
    start: ctx.as(initial ?? number(reductions[reduction].neutral), typeOf(data)),
  };
  const made = emit.grouped(
    [elements],
    () => [reduced(emit, runs)],
    (backward, [d]) => [d ? gradient(backward, runs, made[0] as Value, d) : null],
  );
  return reshapeTo(emit, made[0] as Value, [...before, count, ...after]);
}

const number = (value: number): Scalar => ({ kind: "float", value });

const integers = (emit: Emit, shape: readonly number[], numbers: readonly number[]): Value =>
  emit.constant({ dtype: "int64", shape, data: Float64Array.from(numbers) });

function refuseBeyond({ starts, lengths }: Segments, size: number): void {
  if (lengths.some((length) => length < 0)) throw expected("segment_length >= 0");
  const isBeyond = lengths.some((length, at) => {
    const start = starts[at] as number;
    return length > 0 && (start < 0 || start + length > size);
  });
  if (isBeyond) fail("a segment reaches beyond data, where PyTorch reads what lies there");
}

/** Which rows each run takes; the first one where it is shorter than the longest. */
const placesOf = (
  starts: readonly number[],
  lengths: readonly number[],
  longest: number,
  perRow: number,
  size: number,
): number[] =>
  starts.flatMap((start, at) => {
    const first = Math.floor(at / perRow) * size + start;
    return Array.from({ length: longest }, (_, k) => (k < (lengths[at] as number) ? first + k : 0));
  });

function takenOf(emit: Emit, lengths: readonly number[], shape: readonly number[]): Value {
  const longest = shape[2] as number;
  const flags = lengths.flatMap((length) =>
    Array.from({ length: longest }, (_, k) => Number(k < length)),
  );
  return castTo(emit, integers(emit, shape, flags), "bool");
}

/** What sums are divided by to be means: a run of none is NaN, or what it starts with. */
function divisorsOf(
  emit: Emit,
  lengths: readonly number[],
  isNanOfNone: boolean,
  elements: Value,
): Value {
  const [outer, count] = elements.shape as [number, number];
  const least = isNanOfNone ? 0 : 1;
  const divisors = lengths.map((length) => Math.max(length, least));
  return castTo(emit, integers(emit, [outer, count, 1], divisors), elements.dtype);
}

/** The elements of all runs, side by side. */
interface Runs {
  /** [outer, runs, the longest of them, inner] */
  readonly elements: Value;
  /** Which of those are of their run. */
  readonly taken: Value;
  /** [outer, runs, 1] */
  readonly divisors: Value;
  readonly start: Value;
  readonly reduction: Reduction;
}

function reduced(emit: Emit, { elements, taken, divisors, start, reduction }: Runs): Value {
  const { op, neutral } = reductions[reduction];
  const [outer, count, , inner] = elements.shape as [number, number, number, number];
  const own = emit.op("Where", [taken, elements, emit.scalar(neutral, elements.dtype)]);
  const all = emit.op("Concat", [expandTo(emit, start, [outer, count, 1, inner]), own], {
    axis: 2,
  });
  const found = reduce(emit, op, all, [2], false);
  if (reduction === "mean") return emit.op("Div", [found, divisors]);
  return op === "ReduceMax" || op === "ReduceMin"
    ? nanWhereAny(emit, all, found, [2], false)
    : found;
}

/** PyTorch's gradient of each element: `y` and `d` are the results and their gradients. */
function gradient(emit: Emit, runs: Runs, y: Value, d: Value): Value {
  const { elements, taken, divisors, reduction } = runs;
  const zero = emit.scalar(0, d.dtype);
  const beside = (value: Value) => emit.op("Unsqueeze", [value, emit.ints([2])]);
  const given = () => {
    if (reduction === "sum") return beside(d);
    if (reduction === "mean") return beside(emit.op("Div", [d, divisors]));
    if (reduction === "prod") return ofProduct(emit, runs, beside(y), beside(d));
    return ofExtreme(emit, runs, beside(y), beside(d));
  };
  const all = expandTo(emit, given(), elements.shape);
  return emit.op("Where", [taken, all, zero]);
}

/** Who attains the extreme or is NaN has the gradient; shares of it only where it is positive. */
function ofExtreme(emit: Emit, { elements, taken }: Runs, y: Value, d: Value): Value {
  const zero = emit.scalar(0, d.dtype);
  const attains = emit.op("Or", [emit.op("Equal", [elements, y]), emit.op("IsNaN", [elements])]);
  const isOne = emit.op("And", [taken, attains]);
  const count = counted(emit, isOne, d);
  const share = emit.op("Where", [
    emit.op("Greater", [d, zero]),
    emit.op("Div", [d, emit.op("Max", [count, emit.scalar(1, d.dtype)])]),
    d,
  ]);
  return emit.op("Where", [isOne, share, zero]);
}

const counted = (emit: Emit, flags: Value, like: Value): Value =>
  emit.op("ReduceSum", [castTo(emit, flags, like.dtype), emit.ints([2])], { keepdims: 1 });

/** d · y / x, and where x is 0 or NaN d times the product of the others. */
function ofProduct(emit: Emit, { elements, taken, start }: Runs, y: Value, d: Value): Value {
  const number = (value: number) => emit.scalar(value, d.dtype);
  const isZero = emit.op("And", [taken, emit.op("Equal", [elements, number(0)])]);
  const isNan = emit.op("And", [taken, emit.op("IsNaN", [elements])]);
  const isOdd = emit.op("Or", [isZero, isNan]);
  const even = emit.op("And", [taken, emit.op("Not", [isOdd])]);
  const ones = emit.op("Where", [even, elements, number(1)]);
  const product = emit.op("Mul", [reduce(emit, "ReduceProd", ones, [2], true), start]);
  const others = (flags: Value) => {
    const own = castTo(emit, flags, d.dtype);
    return emit.op("Greater", [emit.op("Sub", [counted(emit, flags, d), own]), number(0)]);
  };
  const factor = emit.op("Where", [
    others(isNan),
    number(Number.NaN),
    emit.op("Where", [others(isZero), number(0), number(1)]),
  ]);
  const apart = emit.op("Mul", [d, emit.op("Mul", [product, factor])]);
  return emit.op("Where", [isOdd, apart, emit.op("Div", [emit.op("Mul", [d, y]), elements])]);
}
