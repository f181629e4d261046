/** The gamma function's logarithm and its derivatives, in double precision. */
import type { Emit, Value } from "../../graph/graph.ts";
import { castTo } from "../../ops/write.ts";
import { add, div, mul, num, polynomial, sub } from "./formulas.ts";

/** From here on Stirling's series is exact in double precision. */
const seriesFrom = 8;

/** 1/x + 1/(x+1) + …, `count` terms of f(x + k). */
function sumOver(emit: Emit, x: Value, count: number, term: (x: Value) => Value): Value {
  let sum = term(x);
  for (let k = 1; k < count; k++) sum = add(emit, sum, term(add(emit, x, num(emit, x, k))));
  return sum;
}

/** f at x ≥ ½, elsewhere what the reflection gives; neither sees the other's x, nor their slopes. */
function reflected(
  emit: Emit,
  x: Value,
  f: (x: Value) => Value,
  reflect: (mirrored: Value, low: Value) => Value,
): Value {
  const isLow = emit.op("Less", [x, num(emit, x, 0.5)]);
  const mirror = sub(emit, num(emit, x, 1), x);
  const value = f(emit.op("Where", [isLow, mirror, x]));
  const low = emit.op("Where", [isLow, x, num(emit, x, 0.25)]);
  return emit.op("Where", [isLow, reflect(value, low), value]);
}

/** ln |Γ(x)|. https://dlmf.nist.gov/5.11.E1 above 8, Γ(x + 1) = xΓ(x) below, https://dlmf.nist.gov/5.5.E3 for x < ½ */
export function lgammaOf(emit: Emit, x: Value): Value {
  const pi = num(emit, x, Math.PI);
  const value = reflected(
    emit,
    x,
    (y) => {
      const z = add(emit, y, num(emit, y, seriesFrom));
      const t = emit.op("Reciprocal", [mul(emit, z, z)]);
      const series = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
      const tail = div(emit, polynomial(emit, t, series), z);
      const body = mul(emit, sub(emit, z, num(emit, z, 0.5)), emit.op("Log", [z]));
      const constant = num(emit, z, Math.log(2 * Math.PI) / 2);
      const stirling = add(emit, add(emit, sub(emit, body, z), constant), tail);
      const steps = sumOver(emit, y, seriesFrom, (v) => emit.op("Log", [v]));
      return sub(emit, stirling, steps);
    },
    (mirrored, low) => {
      const sine = emit.op("Abs", [emit.op("Sin", [mul(emit, pi, low)])]);
      const isPole = emit.op("Equal", [emit.op("Floor", [low]), low]);
      const value = sub(emit, emit.op("Log", [div(emit, pi, sine)]), mirrored);
      return emit.op("Where", [isPole, num(emit, x, Number.POSITIVE_INFINITY), value]);
    },
  );
  const endless = num(emit, x, Number.POSITIVE_INFINITY);
  const is = (number: number) => emit.op("Equal", [x, num(emit, x, number)]);
  const exact = emit.op("Where", [emit.op("Or", [is(1), is(2)]), num(emit, x, 0), value]);
  return emit.op("Where", [emit.op("IsInf", [x]), endless, exact]);
}

/** ψ(x) = d ln Γ / dx; −∞ at 0, no number at the poles below. https://dlmf.nist.gov/5.11.E2, https://dlmf.nist.gov/5.5.E4 */
export function digammaOf(emit: Emit, x: Value): Value {
  const pi = num(emit, x, Math.PI);
  const ofPole = (value: Value): Value => {
    const isPole = emit.op("Equal", [emit.op("Floor", [x]), x]);
    const isZero = emit.op("Equal", [x, num(emit, x, 0)]);
    const atPole = emit.op("Where", [
      isZero,
      num(emit, x, Number.NEGATIVE_INFINITY),
      num(emit, x, Number.NaN),
    ]);
    return emit.op("Where", [isPole, atPole, value]);
  };
  return reflected(
    emit,
    x,
    (y) => {
      const z = add(emit, y, num(emit, y, seriesFrom));
      const t = emit.op("Reciprocal", [mul(emit, z, z)]);
      const series = [-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12];
      const tail = mul(emit, polynomial(emit, t, series), t);
      const half = div(emit, num(emit, z, 0.5), z);
      const body = add(emit, sub(emit, emit.op("Log", [z]), half), tail);
      const steps = sumOver(emit, y, seriesFrom, (v) => emit.op("Reciprocal", [v]));
      return sub(emit, body, steps);
    },
    (mirrored, low) => {
      const angle = mul(emit, pi, low);
      const cotangent = div(emit, emit.op("Cos", [angle]), emit.op("Sin", [angle]));
      return ofPole(sub(emit, mirrored, mul(emit, pi, cotangent)));
    },
  );
}

/**
 * ψ′(x), its reflection in the type of x: near a pole it has PyTorch's rounding of the angle.
 * https://dlmf.nist.gov/5.15.E8, https://dlmf.nist.gov/5.15.E6
 */
export function trigammaOf(emit: Emit, x: Value): Value {
  return reflected(
    emit,
    x,
    (y) => castTo(emit, trigammaAbove(emit, castTo(emit, y, "float64")), x.dtype),
    (mirrored, low) => {
      const pi = num(emit, x, Math.PI);
      const sine = emit.op("Sin", [mul(emit, pi, low)]);
      return sub(emit, div(emit, mul(emit, pi, pi), mul(emit, sine, sine)), mirrored);
    },
  );
}

function trigammaAbove(emit: Emit, y: Value): Value {
  const z = add(emit, y, num(emit, y, seriesFrom));
  const w = emit.op("Reciprocal", [z]);
  const t = mul(emit, w, w);
  const series = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6];
  const tail = mul(emit, mul(emit, polynomial(emit, t, series), t), w);
  const body = add(emit, add(emit, w, mul(emit, num(emit, z, 0.5), t)), tail);
  const square = (v: Value) => mul(emit, v, v);
  const steps = sumOver(emit, y, seriesFrom, (v) => emit.op("Reciprocal", [square(v)]));
  return add(emit, body, steps);
}
