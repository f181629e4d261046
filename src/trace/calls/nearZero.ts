/** ln(1 + x) and e^x − 1 that keep their digits where x is small. */
import type { Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { lnOnePlus, withSlope } from "./curves.ts";

/** ln(1 + x) */
export const log1pOf = (emit: Emitter, x: Value): Value =>
  withSlope(
    emit,
    x,
    () => lnOnePlus(emit, x),
    (backward, _y, d) =>
      backward.op("Div", [d, backward.op("Add", [x, backward.scalar(1, x.dtype)])]),
  );

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
