/** Short names for the nodes that long formulas are written of. */
import type { Emit, Value } from "../../graph/graph.ts";

/** A number in the type of `like`. */
export const num = (emit: Emit, like: Value, value: number): Value =>
  emit.scalar(value, like.dtype);
export const add = (emit: Emit, a: Value, b: Value): Value => emit.op("Add", [a, b]);
export const sub = (emit: Emit, a: Value, b: Value): Value => emit.op("Sub", [a, b]);
export const mul = (emit: Emit, a: Value, b: Value): Value => emit.op("Mul", [a, b]);
export const div = (emit: Emit, a: Value, b: Value): Value => emit.op("Div", [a, b]);
export const where = (emit: Emit, is: Value, yes: Value, no: Value): Value =>
  emit.op("Where", [is, yes, no]);
