/** Arithmetic of complex values, held as pairs on the last axis. */
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";

/** The real and the imaginary part, each without the pair axis. */
export const parts = (emit: Emit, z: Value): [Value, Value] => [
  partOf(emit, z, 0),
  partOf(emit, z, 1),
];

export const realPart = (emit: Emit, z: Value): Value => partOf(emit, z, 0);

function partOf(emit: Emit, z: Value, part: 0 | 1): Value {
  const axis = z.shape.length - 1;
  return emit.op("Squeeze", [
    emit.op("Slice", [z, emit.ints([part]), emit.ints([part + 1]), emit.ints([axis])]),
    emit.ints([axis]),
  ]);
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

/**
 * x · conj(u) / |u|² / s with u = y / s and s the larger part of y, so that no square is beyond the
 * type. By 0 both parts of x are divided, as in PyTorch.
 */
export function complexDivide(emit: Emit, x: Value, y: Value): Value {
  const [c, d] = parts(emit, y);
  const size = emit.op("Max", [emit.op("Abs", [c]), emit.op("Abs", [d])]);
  const isZero = emit.op("Equal", [size, emit.scalar(0, y.dtype)]);
  const one = emit.scalar(1, y.dtype);
  const scale = emit.op("Where", [isZero, one, size]);
  const [p, q] = [shareOf(emit, c, d, scale), shareOf(emit, d, c, scale)];
  const squares = emit.op("Add", [emit.op("Mul", [p, p]), emit.op("Mul", [q, q])]);
  const norm = emit.op("Where", [isZero, one, squares]);
  const turned = pair(
    emit,
    emit.op("Where", [isZero, one, emit.op("Div", [p, norm])]),
    emit.op("Neg", [emit.op("Div", [q, norm])]),
  );
  const above = complexMultiply(emit, x, turned);
  return emit.op("Div", [above, emit.op("Unsqueeze", [size, emit.ints([size.shape.length])])]);
}

/** One part over the larger of both; where it alone is infinite, its sign. */
function shareOf(emit: Emit, part: Value, other: Value, larger: Value): Value {
  const isAlone = emit.op("And", [
    emit.op("IsInf", [part]),
    emit.op("Not", [emit.op("IsInf", [other])]),
  ]);
  return emit.op("Where", [isAlone, emit.op("Sign", [part]), emit.op("Div", [part, larger])]);
}

/** x / y with PyTorch's gradient: dx = d / ȳ, dy = −dx · conj(x / y). */
export function complexQuotient(emit: Emitter, x: Value, y: Value): Value {
  const made = emit.grouped(
    [x, y],
    () => [complexDivide(emit, x, y)],
    (backward, [d]) => {
      if (!d) return [null, null];
      const dx = complexDivide(backward, d, conjugate(backward, y));
      const share = conjugate(backward, made[0] as Value);
      return [dx, backward.op("Neg", [complexMultiply(backward, dx, share)])];
    },
  );
  return made[0] as Value;
}

export function conjugate(emit: Emit, z: Value): Value {
  const [re, im] = parts(emit, z);
  return pair(emit, re, emit.op("Neg", [im]));
}
