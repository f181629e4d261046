/** ln(1 + x) and e^x − 1 that keep their digits where x is small. */
import type { Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { withSlope } from "./curves.ts";

/**
 * With u = 1 + x as it is rounded, ln(u) · x / (u − 1): the quotient takes the rounding back (W. Kahan).
 */
export function log1pOf(emit: Emitter, x: Value): Value {
  const one = emit.scalar(1, x.dtype);
  return withSlope(
    emit,
    x,
    () => {
      const u = emit.op("Add", [x, one]);
      const logs = emit.op("Log", [u]);
      const step = emit.op("Sub", [u, one]);
      const scaled = emit.op("Mul", [logs, emit.op("Div", [x, step])]);
      const isTiny = emit.op("Equal", [u, one]);
      const kept = emit.op("Where", [emit.op("IsInf", [logs]), logs, scaled]);
      return emit.op("Where", [isTiny, x, kept]);
    },
    (backward, _y, d) => backward.op("Div", [d, backward.op("Add", [x, one])]),
  );
}

/** tanh(x / 2) · (e^x + 1) */
export function expm1Of(emit: Emitter, x: Value): Value {
  const one = emit.scalar(1, x.dtype);
  return withSlope(
    emit,
    x,
    () => {
      const half = emit.op("Tanh", [emit.op("Mul", [x, emit.scalar(0.5, x.dtype)])]);
      return emit.op("Mul", [half, emit.op("Add", [emit.op("Exp", [x]), one])]);
    },
    (backward, y, d) => backward.op("Mul", [d, backward.op("Add", [y, one])]),
  );
}
