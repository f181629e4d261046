/** Products of half precision: PyTorch rounds after each factor. */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { castTo, reshapeTo, sliceAxis } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import type { TorchType } from "../promotion.ts";
import { rounded } from "../rounding.ts";
import { inSteps } from "./kernelSlopes.ts";
import { broadcastBack, reduce, reducedShape } from "./reduction.ts";

/** PyTorch's vectors of half precision, of which it multiplies several at once along a row. */
const lanes = 16;
const vectors = 4;

/** Longer products are rounded once: each step is a few nodes. */
const mostSteps = 128;

/** Π x over one axis or all, with the gradient d · (y / x). */
export function halfProduct(
  emit: CallContext["emit"],
  x: Value,
  axes: readonly number[],
  keep: boolean,
  type: TorchType,
): Value {
  const make = () =>
    steppedProduct(emit, x, axes, keep, type) ?? reduce(emit, "ReduceProd", x, axes, keep, 1);
  return inSteps(emit, type, [x], make, ({ op, whole }, d, _x, y) => {
    const back = (value: Value) => whole((to) => broadcastBack(to, value, x.shape, axes));
    const others = whole((to) => productOfOthers(to, x, back(y), axes));
    return [op("Mul", back(d), others)];
  });
}

/** The product y of all over each x; where there are zeros, the product of the others. */
function productOfOthers(emit: Emit, x: Value, y: Value, axes: readonly number[]): Value {
  const isZero = emit.op("Equal", [x, emit.scalar(0, x.dtype)]);
  const zero = castTo(emit, isZero, x.dtype);
  const zeros = reduce(emit, "ReduceSum", zero, axes, true);
  const filled = emit.op("Where", [isZero, emit.scalar(1, x.dtype), x]);
  const hasNone = emit.op("Equal", [zeros, emit.scalar(0, x.dtype)]);
  const rest = reduce(emit, "ReduceProd", filled, axes, true, 1);
  const product = emit.op("Where", [hasNone, y, rest]);
  return emit.op("Where", [
    emit.op("Equal", [zeros, zero]),
    emit.op("Div", [product, filled]),
    emit.scalar(0, x.dtype),
  ]);
}

/** Null for products of no elements or of too many. */
function steppedProduct(
  emit: Emit,
  x: Value,
  axes: readonly number[],
  keep: boolean,
  type: TorchType,
): Value | null {
  const all = axes.length === x.shape.length;
  if (numel(x.shape) === 0 || (!all && axes.length !== 1)) return null;
  const factors = all ? reshapeTo(emit, x, [numel(x.shape)]) : x;
  const axis = all ? 0 : (axes[0] as number);
  const size = factors.shape[axis] as number;
  const isRow = numel(factors.shape.slice(axis + 1)) === 1;
  const blocks = isRow ? Math.floor(size / (lanes * vectors)) : 0;
  const rest = size - blocks * lanes * vectors;
  if (blocks + rest > mostSteps) return null;
  const times = (a: Value, b: Value) => rounded(emit, emit.op("Mul", [a, b]), type);
  const cut = (value: Value, length: number) =>
    Array.from({ length: Math.floor((value.shape[axis] as number) / length) }, (_, at) =>
      sliceAxis(emit, value, axis, at * length, (at + 1) * length),
    );
  const tail = rest === 0 ? [] : cut(sliceAxis(emit, factors, axis, size - rest, size), 1);
  const product = [...(blocks === 0 ? [] : cut(blockProduct(), 1)), ...tail].reduce(times);
  return reshapeTo(emit, product, reducedShape(x.shape, axes, keep));

  /** Of all blocks, then of the vectors of a block by twos: one vector. */
  function blockProduct(): Value {
    const block = cut(factors, lanes * vectors).reduce(times);
    const [a, b, c, d] = cut(block, lanes) as [Value, Value, Value, Value];
    return times(times(a, b), times(c, d));
  }
}
