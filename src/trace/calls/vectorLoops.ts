/**
 * PyTorch's kernels for the CPU take elements many at a time, and one by one what is left in the end.
 * Activations made of pieces compare NaN otherwise in the two loops.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, bytesOf, numel } from "../../graph/tensor.ts";
import { heldAs, type TorchType } from "../promotion.ts";

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
