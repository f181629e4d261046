/** Short names for the nodes that long formulas are written of. */
import type { Emit, Value } from "../../graph/graph.ts";

/** A number in the type of `like`. */
export const num = (emit: Emit, like: Value, value: number): Value =>
  emit.scalar(value, like.dtype);
export const add = (emit: Emit, a: Value, b: Value): Value => emit.op("Add", [a, b]);
export const sub = (emit: Emit, a: Value, b: Value): Value => emit.op("Sub", [a, b]);
export const mul = (emit: Emit, a: Value, b: Value): Value => emit.op("Mul", [a, b]);
export const div = (emit: Emit, a: Value, b: Value): Value => emit.op("Div", [a, b]);
/** x · by and x + by */
export const scale = (emit: Emit, x: Value, by: number): Value => mul(emit, x, num(emit, x, by));
export const shift = (emit: Emit, x: Value, by: number): Value => add(emit, x, num(emit, x, by));
export const where = (emit: Emit, is: Value, yes: Value, no: Value): Value =>
  emit.op("Where", [is, yes, no]);

/** c₀ + t (c₁ + t (c₂ + …)) */
export function polynomial(emit: Emit, t: Value, coefficients: readonly number[]): Value {
  const [last, ...rest] = coefficients.toReversed() as [number, ...number[]];
  return rest.reduce<Value>((sum, c) => shift(emit, mul(emit, sum, t), c), num(emit, t, last));
}

/** x (c₀ + c₁ x² + c₂ x⁴ + …) */
export const oddSeries = (emit: Emit, x: Value, coefficients: readonly number[]): Value =>
  mul(emit, x, polynomial(emit, mul(emit, x, x), coefficients));
