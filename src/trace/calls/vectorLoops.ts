/**
 * PyTorch's kernels for the CPU take elements many at a time, and one by one what is left in the end.
 * Activations made of pieces compare NaN otherwise in the two loops.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, bytesOf, numel } from "../../graph/tensor.ts";
import { isTensor, type Scalar } from "../arguments.ts";
import { heldAs, type TorchType } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { expandedStrides } from "../views.ts";

/** Bytes of a step of the loop: two vectors of 256 bits, or two of them twice. */
export const stepBytes = { select: 64, blend: 128 } as const;

/** From here on threads share the elements, and next to none are left over. */
const sharedFrom = 32768;

/** Which elements of x are NaN and come after whole steps of `bytes`; null: none can be. */
export function leftNan(emit: Emit, x: Value, type: TorchType, bytes: number): Value | null {
  const count = numel(x.shape);
  const step = bytes / bytesOf[heldAs(type).dtype];
  const left = count % step;
  if (left === 0 || count >= sharedFrom) return null;
  const isNan = emit.op("IsNaN", [x]);
  if (left === count) return isNan;
  const data = allocate("bool", count).fill(1, count - left);
  return emit.op("And", [isNan, emit.constant({ dtype: "bool", shape: x.shape, data })]);
}

/** `condition`, and the elements that are NaN after whole steps. */
export function orLeftNan(
  emit: Emit,
  condition: Value,
  x: Value,
  type: TorchType,
  bytes: number,
): Value {
  const left = leftNan(emit, x, type, bytes);
  return left === null ? condition : emit.op("Or", [condition, left]);
}

/** Axes that one loop runs over, the innermost first, and how many elements they have together. */
interface Loop {
  readonly axes: readonly number[];
  readonly length: number;
}

/** The axes along which every operand lies element by element, or is one and the same. */
function innerLoop(operands: readonly Tensor[], shape: readonly number[]): Loop {
  const strides = operands.map((operand) => expandedStrides(operand, shape));
  const isInside = (a: number, b: number): number => {
    const apart = strides.find((along) => along[a] !== along[b] && along[a] && along[b]);
    return apart ? (apart[a] as number) - (apart[b] as number) : b - a;
  };
  const ordered = shape.flatMap((size, axis) => (size === 1 ? [] : [axis])).sort(isInside);
  const axes: number[] = [];
  let length = 1;
  for (const axis of ordered) {
    const isRegular = strides.every((along) => {
      const isRepeated = axes.length > 0 ? along[axes[0] as number] === 0 : along[axis] === 0;
      return along[axis] === (isRepeated ? 0 : length);
    });
    if (!isRegular) break;
    axes.push(axis);
    length *= shape[axis] as number;
  }
  return { axes, length };
}

/**
 * Which elements of a result of `shape` PyTorch computes one by one: those after the last whole step
 * of `bytes` in each run of its innermost loop. null: none.
 */
export function leftOver(
  emit: Emit,
  operands: readonly (Tensor | Scalar)[],
  shape: readonly number[],
  type: TorchType,
  bytes: number,
): Value | null {
  if (numel(shape) >= sharedFrom) return null;
  const step = bytes / bytesOf[heldAs(type).dtype];
  const { axes, length } = innerLoop(operands.filter(isTensor), shape);
  const whole = length - (length % step);
  if (whole === length) return null;
  const sizes = shape.map((size, axis) => (axes.includes(axis) ? size : 1));
  const data = allocate("bool", length);
  for (let at = 0; at < length; at++) data[at] = placeIn(axes, sizes, at) >= whole ? 1 : 0;
  return emit.constant({ dtype: "bool", shape: sizes, data });
}

/** The place in the loop over `axes` of the element that is at `at`, row by row. */
function placeIn(axes: readonly number[], sizes: readonly number[], at: number): number {
  const places = sizes.map(() => 0);
  let rest = at;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    places[axis] = rest % (sizes[axis] as number);
    rest = Math.floor(rest / (sizes[axis] as number));
  }
  let [place, run] = [0, 1];
  for (const axis of axes) {
    place += (places[axis] as number) * run;
    run *= sizes[axis] as number;
  }
  return place;
}
