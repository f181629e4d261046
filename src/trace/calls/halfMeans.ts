/** Means of windows in half precision: PyTorch rounds each window's share of a gradient, and each sum of two. */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType, numel, positionAt } from "../../graph/tensor.ts";
import type { CallContext } from "../call.ts";
import type { TorchType } from "../promotion.ts";
import { rounded, roundsSteps } from "../rounding.ts";
import { mostSteps, sumInTurn } from "./halfSums.ts";
import { inSteps } from "./kernelSlopes.ts";

/** Where a window of an axis begins and ends, within the axis. */
export type Span = readonly [start: number, end: number];

/** By what windows are divided one after another: numbers that broadcast to [count, …]. */
export interface Divisors {
  readonly shape: readonly number[];
  readonly numbers: readonly number[];
}

/** For each place of an axis the places of another that are summed there. */
type Places = readonly (readonly number[])[];

/** Means of the windows of x[N, C, …] that `make` writes, with PyTorch's gradient in half precision. */
export function meansInSteps(
  emit: CallContext["emit"],
  x: Value,
  spans: readonly (readonly Span[])[],
  divisors: readonly Divisors[],
  type: TorchType,
  make: () => Value,
): Value {
  const holders = spans.map((windows, k) => holdersOf(windows, x.shape[k + 2] as number));
  if (!roundsSteps(type) || stepsOf(holders) > mostSteps) return make();
  return inSteps(emit, type, [x], make, ({ whole }, d) => [
    whole((to) => sumInSteps(to, dividedInSteps(to, d, divisors, type), holders, type)),
  ]);
}

/** Means whose sums PyTorch keeps in half precision; null for windows of too many elements. */
export function steppedMeans(
  emit: Emit,
  x: Value,
  spans: readonly (readonly Span[])[],
  divisors: readonly Divisors[],
  type: TorchType,
): Value | null {
  const elements = spans.map((windows) =>
    windows.map(([start, end]) => Array.from({ length: end - start }, (_, at) => start + at)),
  );
  if (stepsOf(elements) > mostSteps) return null;
  return dividedInSteps(emit, sumInSteps(emit, x, elements, type), divisors, type);
}

/** Which windows have each element. */
const holdersOf = (windows: readonly Span[], size: number): Places =>
  Array.from({ length: size }, (_, at) =>
    windows.flatMap(([start, end], i) => (start <= at && at < end ? [i] : [])),
  );

const longest = (places: Places): number => Math.max(0, ...places.map(({ length }) => length));

const stepsOf = (axes: readonly Places[]): number => numel(axes.map(longest));

function dividedInSteps(
  emit: Emit,
  sums: Value,
  divisors: readonly Divisors[],
  type: TorchType,
): Value {
  return divisors.reduce((value, { shape, numbers }) => {
    const by = constantOf(emit, value.dtype, shape, numbers);
    return rounded(emit, emit.op("Div", [value, by]), type);
  }, sums);
}

/** What each place sums, row by row, rounded after each. */
function sumInSteps(emit: Emit, x: Value, axes: readonly Places[], type: TorchType): Value {
  const counts = axes.map(longest);
  const parts = Array.from({ length: numel(counts) }, (_, step) =>
    partOf(emit, x, axes, positionAt(step, counts)),
  );
  return sumInTurn(emit, parts, type);
}

/** The `at[k]`th of what each place sums along axis k, 0 where there is none. */
function partOf(emit: Emit, x: Value, axes: readonly Places[], at: readonly number[]): Value {
  const chosen = axes.map((places, k) => places.map((list) => list[at[k] as number] ?? null));
  const part = chosen.reduce((value, places, k) => {
    const index = constantOf(
      emit,
      "int64",
      [places.length],
      places.map((place) => place ?? 0),
    );
    return emit.op("Gather", [value, index], { axis: k + 2 });
  }, x);
  const isThere = chosen.reduce<readonly number[]>(
    (all, places) => all.flatMap((a) => places.map((place) => (place === null ? 0 : a))),
    [1],
  );
  if (!isThere.includes(0)) return part;
  const mask = constantOf(emit, "bool", part.shape.slice(2), isThere);
  return emit.op("Where", [mask, part, emit.scalar(0, x.dtype)]);
}

function constantOf(
  emit: Emit,
  dtype: DType,
  shape: readonly number[],
  numbers: readonly number[],
): Value {
  const data = allocate(dtype, numbers.length);
  numbers.forEach((number, at) => {
    data[at] = number;
  });
  return emit.constant({ dtype, shape, data });
}
