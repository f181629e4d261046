/** Index tensors for several axes at once. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isHalf, numel } from "../../graph/tensor.ts";
import { broadcastShapes } from "../../ops/shapes.ts";
import { addAlongAxis, castTo, expandTo, reshapeTo, transpose } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import { addedInTurn } from "./halfSums.ts";

/** x at the joint positions of `indices` along `axes`. */
export function pickedAt(
  { emit }: CallContext,
  x: Value,
  axes: readonly number[],
  indices: readonly Value[],
): Value {
  const pick = () => gather(emit, x, axes, indices);
  if (!isHalf(x.dtype) || !x.requiresGrad) return pick();
  const [picked] = emit.grouped(
    [x],
    () => [pick()],
    (backward, [d]) => [d ? addedBack(backward, d, x, axes, indices) : null],
  );
  return picked as Value;
}

function gather(emit: Emit, x: Value, axes: readonly number[], indices: readonly Value[]): Value {
  const [axis] = axes as readonly [number];
  if (axes.length === 1) return emit.op("Gather", [x, indices[0] as Value], { axis });
  const { toFront, joint, indexRank } = jointPlaces(emit, x, axes, indices);
  const picked = emit.op("GatherND", [transpose(emit, x, toFront), joint]);
  return transpose(emit, picked, placed(picked.shape.length, indexRank, axes));
}

/** The gradient in half precision of what was picked of x: few rows are summed as PyTorch does. */
function addedBack(
  emit: Emit,
  d: Value,
  x: Value,
  axes: readonly number[],
  indices: readonly Value[],
): Value {
  const { toFront, joint, indexRank } = jointPlaces(emit, x, axes, indices);
  const sizes = toFront.map((axis) => x.shape[axis] as number);
  const [picked, rest] = [sizes.slice(0, axes.length), sizes.slice(axes.length)];
  const order = placed(d.shape.length, indexRank, axes);
  const front = transpose(emit, castTo(emit, d, "float32"), inverse(order));
  const count = numel(joint.shape.slice(0, -1));
  const rows = reshapeTo(emit, front, [count, numel(rest)]);
  const places = placesInOne(emit, reshapeTo(emit, joint, [count, axes.length]), picked);
  const sums =
    addedInTurn(emit, rows, places, numel(picked), x.dtype) ??
    addAlongAxis(emit, rows, 0, places, numel(picked));
  const back = transpose(emit, reshapeTo(emit, sums, sizes), inverse(toFront));
  return castTo(emit, back, x.dtype);
}

const inverse = (order: readonly number[]): number[] => order.map((_, axis) => order.indexOf(axis));

/** Positions [n, axes] as one number each; negative ones count from the end. */
function placesInOne(emit: Emit, joint: Value, sizes: readonly number[]): Value {
  const isNegative = emit.op("Less", [joint, emit.scalar(0, "int64")]);
  const fromStart = emit.op("Add", [joint, emit.ints(sizes)]);
  const steps = emit.ints(sizes.map((_, axis) => numel(sizes.slice(axis + 1))));
  const parts = emit.op("Mul", [emit.op("Where", [isNegative, fromStart, joint]), steps]);
  return emit.op("ReduceSum", [parts, emit.ints([1])], { keepdims: 0 });
}

/** Index axes moved to the front, and their indices joined on a last axis. */
export function jointPlaces(
  emit: Emit,
  x: Value,
  axes: readonly number[],
  indices: readonly Value[],
) {
  const shape = indices.map((index) => index.shape).reduce((a, b) => broadcastIndexShapes(a, b));
  const columns = indices.map((index) =>
    emit.op("Unsqueeze", [expandTo(emit, index, shape), emit.ints([shape.length])]),
  );
  const joint =
    columns.length === 1 ? (columns[0] as Value) : emit.op("Concat", columns, { axis: -1 });
  const rest = x.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  return { toFront: [...axes, ...rest], joint, indexRank: shape.length };
}

function broadcastIndexShapes(a: readonly number[], b: readonly number[]): readonly number[] {
  try {
    return broadcastShapes("index", a, b);
  } catch {
    throw torchError(
      "IndexError",
      `shape mismatch: indexing tensors could not be broadcast together with shapes [${a.join(", ")}], [${b.join(", ")}]`,
    );
  }
}

/** Where the index axes stand in the result: in their place when adjacent, else first. */
export function placed(rank: number, indexRank: number, axes: readonly number[]): number[] {
  const first = axes[0] as number;
  const adjacent = axes.every((axis, i) => axis === first + i);
  const before = adjacent ? first : 0;
  const index = Array.from({ length: indexRank }, (_, i) => i);
  const rest = Array.from({ length: rank - indexRank }, (_, i) => i + indexRank);
  return [...rest.slice(0, before), ...index, ...rest.slice(before)];
}
