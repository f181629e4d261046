/** Arithmetic of complex values, held as pairs on the last axis. */
import type { Emit, Value } from "../../graph/graph.ts";

/** The real and the imaginary part, each without the pair axis. */
export function parts(emit: Emit, z: Value): [Value, Value] {
  const axis = z.shape.length - 1;
  const take = (part: number) =>
    emit.op("Squeeze", [
      emit.op("Slice", [z, emit.ints([part]), emit.ints([part + 1]), emit.ints([axis])]),
      emit.ints([axis]),
    ]);
  return [take(0), take(1)];
}

export function pair(emit: Emit, re: Value, im: Value): Value {
  const last = (x: Value) => emit.op("Unsqueeze", [x, emit.ints([x.shape.length])]);
  return emit.op("Concat", [last(re), last(im)], { axis: -1 });
}

/** (a + bi)(c + di) = (ac − bd) + (ad + bc)i */
export function complexMultiply(emit: Emit, x: Value, y: Value): Value {
  const [a, b] = parts(emit, x);
  const [c, d] = parts(emit, y);
  const mul = (p: Value, q: Value) => emit.op("Mul", [p, q]);
  return pair(emit, emit.op("Sub", [mul(a, c), mul(b, d)]), emit.op("Add", [mul(a, d), mul(b, c)]));
}

/** x · conj(y) / |y|² */
export function complexDivide(emit: Emit, x: Value, y: Value): Value {
  const [c, d] = parts(emit, y);
  const norm = emit.op("Add", [emit.op("Mul", [c, c]), emit.op("Mul", [d, d])]);
  const conjugate = pair(
    emit,
    emit.op("Div", [c, norm]),
    emit.op("Neg", [emit.op("Div", [d, norm])]),
  );
  return complexMultiply(emit, x, conjugate);
}
