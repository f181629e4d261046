/** Functions for which no provider has a kernel in double precision: formulas of those that have one. */
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { castTo } from "../../ops/write.ts";
import { lnOnePlus, withSlope } from "./curves.ts";
import { wideErf } from "./errorFunctions.ts";
import { add, div, mul, num, oddSeries, scale, shift, sub, where } from "./formulas.ts";

type Plain = "Tan" | "Atan" | "Sinh" | "Cosh";
type Sloped = "Erf" | "Asin" | "Acos" | "Asinh" | "Acosh" | "Atanh";

/** ONNX's operator `op`, in double precision by a formula. */
export const narrowed = (emit: Emit, op: Plain | "Sin" | "Cos", x: Value): Value =>
  x.dtype === "float64" && op !== "Sin" && op !== "Cos" ? plain[op](emit, x) : emit.op(op, [x]);

/** As `narrowed`, of functions whose slope is not that of their formula's nodes. */
export function narrowedWithSlope(emit: Emitter, op: Sloped, x: Value): Value {
  if (x.dtype !== "float64") return emit.op(op, [x]);
  const { make, slope } = sloped[op];
  return withSlope(
    emit,
    x,
    () => make(emit, x),
    (backward, _y, d) => backward.op("Mul", [d, slope(backward, x)]),
  );
}

const root = (emit: Emit, x: Value): Value => emit.op("Sqrt", [x]);
const isBeyond = (emit: Emit, x: Value, bound: number): Value =>
  emit.op("Greater", [emit.op("Abs", [x]), num(emit, x, bound)]);
const plain: Readonly<Record<Plain, (emit: Emit, x: Value) => Value>> = {
  Tan: (emit, x) => div(emit, emit.op("Sin", [x]), emit.op("Cos", [x])),
  Atan: arctangent,
  Sinh: (emit, x) => {
    const isFar = isBeyond(emit, x, 1);
    const near = where(emit, isFar, num(emit, x, 0), x);
    const [up, down] = growth(emit, x);
    return where(
      emit,
      isFar,
      scale(emit, sub(emit, up, down), 0.5),
      oddSeries(emit, near, sinhTerms),
    );
  },
  Cosh: (emit, x) => scale(emit, add(emit, ...growth(emit, x)), 0.5),
};

const growth = (emit: Emit, x: Value): [Value, Value] => [
  emit.op("Exp", [x]),
  emit.op("Exp", [emit.op("Neg", [x])]),
];

/**
 * The arctangent of single precision, t, and one step from there: atan(x) − t is the arctangent of
 * (x − tan t) / (1 + x tan t), which is so small that it is its own. Beyond ±1 it is ±π/2 − atan(1/x).
 */
function arctangent(emit: Emit, x: Value): Value {
  const isFar = isBeyond(emit, x, 1);
  const inverse = emit.op("Reciprocal", [where(emit, isFar, x, num(emit, x, 1))]);
  const a = where(emit, isFar, inverse, x);
  const t = castTo(emit, emit.op("Atan", [castTo(emit, a, "float32")]), "float64");
  const tangent = plain.Tan(emit, t);
  const rest = div(emit, sub(emit, a, tangent), shift(emit, mul(emit, a, tangent), 1));
  const near = add(emit, t, rest);
  const quarter = scale(emit, emit.op("Sign", [x]), Math.PI / 2);
  return where(emit, isFar, sub(emit, quarter, near), near);
}

/** 1 − x² */
const restOfSquare = (emit: Emit, x: Value): Value =>
  mul(emit, sub(emit, num(emit, x, 1), x), shift(emit, x, 1));

/** 2 atan(x / (1 + √(1 − x²))) */
const arcsine = (emit: Emit, x: Value): Value =>
  scale(emit, arctangent(emit, div(emit, x, shift(emit, root(emit, restOfSquare(emit, x)), 1))), 2);

const arcsineSlope = (emit: Emit, x: Value): Value => inverseRoot(emit, restOfSquare(emit, x));

const inverseRoot = (emit: Emit, square: Value): Value =>
  emit.op("Reciprocal", [root(emit, square)]);

/** 1 / (2n + 1)! */
const sinhTerms = Array.from({ length: 10 }, (_, n) => {
  let term = 1;
  for (let k = 2; k <= 2 * n + 1; k++) term /= k;
  return term;
});

interface SlopedFunction {
  readonly make: (emit: Emit, x: Value) => Value;
  readonly slope: (emit: Emit, x: Value) => Value;
}

const sloped: Readonly<Record<Sloped, SlopedFunction>> = {
  Erf: {
    make: wideErf,
    slope: (emit, x) => {
      const bell = emit.op("Exp", [emit.op("Neg", [mul(emit, x, x)])]);
      return scale(emit, bell, 2 / Math.sqrt(Math.PI));
    },
  },
  Asin: { make: arcsine, slope: arcsineSlope },
  Acos: {
    make: (emit, x) => sub(emit, num(emit, x, Math.PI / 2), arcsine(emit, x)),
    slope: (emit, x) => emit.op("Neg", [arcsineSlope(emit, x)]),
  },
  // ±ln(1 + |x| + x² / (1 + √(x² + 1))), of large numbers ±(ln |x| + ln 2)
  Asinh: {
    make: (emit, x) => {
      const size = emit.op("Abs", [x]);
      const isFar = isBeyond(emit, x, 1e8);
      const near = where(emit, isFar, num(emit, x, 0), size);
      const square = mul(emit, near, near);
      const leg = shift(emit, root(emit, shift(emit, square, 1)), 1);
      const sum = lnOnePlus(emit, add(emit, near, div(emit, square, leg)));
      const far = shift(emit, emit.op("Log", [size]), Math.LN2);
      return mul(emit, emit.op("Sign", [x]), where(emit, isFar, far, sum));
    },
    slope: (emit, x) => inverseRoot(emit, shift(emit, mul(emit, x, x), 1)),
  },
  // ln(1 + s + √(2s + s²)) with s = x − 1, of large numbers ln x + ln 2
  Acosh: {
    make: (emit, x) => {
      const isFar = isBeyond(emit, x, 1e8);
      const above = shift(emit, where(emit, isFar, num(emit, x, 1), x), -1);
      const leg = root(emit, mul(emit, above, shift(emit, above, 2)));
      const sum = lnOnePlus(emit, add(emit, above, leg));
      return where(emit, isFar, shift(emit, emit.op("Log", [x]), Math.LN2), sum);
    },
    slope: (emit, x) => inverseRoot(emit, shift(emit, mul(emit, x, x), -1)),
  },
  // ±ln(1 + 2|x| / (1 − |x|)) / 2
  Atanh: {
    make: (emit, x) => {
      const size = emit.op("Abs", [x]);
      const rest = sub(emit, num(emit, x, 1), size);
      const log = lnOnePlus(emit, div(emit, scale(emit, size, 2), rest));
      return mul(emit, scale(emit, emit.op("Sign", [x]), 0.5), log);
    },
    slope: (emit, x) => emit.op("Reciprocal", [sub(emit, num(emit, x, 1), mul(emit, x, x))]),
  },
};
