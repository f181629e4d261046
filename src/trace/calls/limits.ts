/** Bounds whose gradients, or those at them, are not those of Clip. */
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { clipTo } from "../../ops/write.ts";
import { withSlope } from "./curves.ts";

/** x limited by numbers that need no gradient. */
export function limited(emit: Emitter, x: Value, low: Value | null, high: Value | null): Value {
  return withSlope(
    emit,
    x,
    () => clipTo(emit, x, low, high),
    (backward, _y, d) => {
      const inside = isInside(backward, x, low, high);
      return inside ? backward.op("Where", [inside, d, backward.scalar(0, d.dtype)]) : d;
    },
  );
}

function isInside(emit: Emit, x: Value, low: Value | null, high: Value | null): Value | null {
  const above = low && emit.op("GreaterOrEqual", [x, low]);
  const below = high && emit.op("LessOrEqual", [x, high]);
  return above && below ? emit.op("And", [above, below]) : (above ?? below);
}

/** What a bound that is no number makes of x: NaN, through which no gradient passes. */
export const noNumbers = (emit: Emit, x: Value): Value =>
  emit.op("Where", [emit.scalar(0, "bool"), x, emit.scalar(Number.NaN, x.dtype)]);

/**
 * x between bounds that take gradients of their own: whoever is the result has it, and x shares it
 * with a bound that it lies on, unless there is room for nothing else. Where the bounds are crossed
 * the upper one has it.
 */
export function between(emit: Emitter, x: Value, low: Value, high: Value): Value {
  const [limited] = emit.grouped(
    [x, low, high],
    () => [emit.op("Min", [emit.op("Max", [x, low]), high])],
    (backward, [d]) => (d ? shares(backward, x, low, high, d) : [null, null, null]),
  );
  return limited as Value;
}

function shares(emit: Emit, x: Value, low: Value, high: Value, d: Value): Value[] {
  const and = (a: Value, b: Value) => emit.op("And", [a, b]);
  const or = (a: Value, b: Value) => emit.op("Or", [a, b]);
  const less = (a: Value, b: Value) => emit.op("Less", [a, b]);
  const none = emit.scalar(0, d.dtype);
  const half = emit.op("Mul", [d, emit.scalar(0.5, d.dtype)]);
  const given = (all: Value, shared: Value) =>
    emit.op("Where", [all, d, emit.op("Where", [shared, half, none])]);
  const isOpen = less(low, high);
  const isOrdered = emit.op("LessOrEqual", [low, high]);
  const onLow = and(isOpen, emit.op("Equal", [x, low]));
  const onHigh = and(isOpen, emit.op("Equal", [x, high]));
  const isBeyond = or(less(x, low), less(high, x));
  const isShared = or(onLow, onHigh);
  return [
    given(emit.op("Not", [or(isBeyond, isShared)]), isShared),
    given(and(isOrdered, less(x, low)), onLow),
    given(or(less(high, low), and(isOrdered, less(high, x))), onHigh),
  ];
}
