/** Sums that PyTorch keeps in half precision: each addition is rounded. */
import type { Emit, Value } from "../../graph/graph.ts";
import { padBy, reshapeTo, sliceAxis, zerosOf } from "../../ops/write.ts";
import type { TorchType } from "../promotion.ts";
import { rounded } from "../rounding.ts";

/** Sums of more elements are rounded once: each addition is a few nodes. */
export const mostSteps = 32;
/** Tables are read once in a model. */
const mostRows = 128;

/** The sum of the parts from the first to the last. */
export const sumInTurn = (emit: Emit, parts: readonly Value[], type: TorchType): Value =>
  parts.reduce((sum, part) => rounded(emit, emit.op("Add", [sum, part]), type));

/** x as its slices along an axis, which keep size 1 there. */
function slicesOf(emit: Emit, x: Value, axis: number): readonly Value[] {
  const count = x.shape[axis] as number;
  return count === 1 ? [x] : emit.ops("Split", [x, null], { axis, num_outputs: count }, count);
}

/** x[n, …] summed over its rows, which keep size 1; of more than `mostSteps`, rounded once. */
export function rowsInTurn(emit: Emit, x: Value, type: TorchType): Value {
  const count = x.shape[0] as number;
  if (count === 0 || count > mostSteps)
    return rounded(emit, emit.op("ReduceSum", [x, emit.ints([0])], { keepdims: 1 }), type);
  const [first, ...others] = slicesOf(emit, x, 0) as [Value, ...Value[]];
  return sumInTurn(emit, [rounded(emit, first, type), ...others], type);
}

/**
 * Zeros of [size, width] to whose rows those of x[n, width] are added at `places` [n], one after
 * another; null for more than `mostRows`.
 */
export function addedInTurn(
  emit: Emit,
  x: Value,
  places: Value,
  size: number,
  type: TorchType,
): Value | null {
  const [count, width] = x.shape as [number, number];
  if (count === 0 || count > mostRows) return null;
  const column = reshapeTo(emit, places, [count, 1]);
  const zero = emit.scalar(0, x.dtype);
  const rows = slicesOf(emit, x, 0);
  // What each row's place holds after every addition.
  const parts = slicesOf(emit, places, 0).map((place, at) =>
    emit.op("Where", [emit.op("Equal", [column, place]), rows[at] as Value, zero]),
  );
  const sums = sumInTurn(emit, parts, type);
  return emit.op("ScatterND", [zerosOf(emit, x.dtype, [size, width]), column, sums]);
}

const levelSize = 16;

/**
 * The sum of x[n] as the kernels of negative log likelihoods take it: in levels, of which each sums
 * sixteen numbers of the one before; the first number is added last.
 * https://github.com/pytorch/pytorch/blob/v2.9.0/aten/src/ATen/native/LossNLL.cpp
 */
export function sumInLevels(emit: Emit, x: Value, type: TorchType): Value {
  const parts: Value[] = [];
  let rest = sliceAxis(emit, x, 0, 1, x.shape[0] as number);
  while ((rest.shape[0] as number) > 0) {
    const count = rest.shape[0] as number;
    const full = Math.floor(count / levelSize);
    const blocks = Math.ceil(count / levelSize);
    const padded = padBy(emit, rest, [0], [blocks * levelSize - count]);
    const columns = slicesOf(emit, reshapeTo(emit, padded, [blocks, levelSize]), 1);
    const sums = reshapeTo(emit, sumInTurn(emit, columns, type), [blocks]);
    if (full < blocks) parts.push(sliceAxis(emit, sums, 0, full, blocks));
    rest = sliceAxis(emit, sums, 0, 0, full);
  }
  return reshapeTo(emit, sumInTurn(emit, [...parts, sliceAxis(emit, x, 0, 0, 1)], type), []);
}
