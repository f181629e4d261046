/** Bounds at which, unlike those of Clip, a gradient passes. */
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
