/** Functions for which no provider has a kernel in double precision: formulas of those that have one. */
import type { Emit, Value } from "../../graph/graph.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { castTo } from "../../ops/write.ts";
import { withSlope } from "./curves.ts";
import { wideErf } from "./errorFunctions.ts";
import { log1pOf } from "./nearZero.ts";

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

const scalar = (emit: Emit, x: Value, value: number): Value => emit.scalar(value, x.dtype);
const plus = (emit: Emit, a: Value, b: Value | number): Value =>
  emit.op("Add", [a, typeof b === "number" ? scalar(emit, a, b) : b]);
const minus = (emit: Emit, a: Value, b: Value): Value => emit.op("Sub", [a, b]);
const times = (emit: Emit, a: Value, b: Value | number): Value =>
  emit.op("Mul", [a, typeof b === "number" ? scalar(emit, a, b) : b]);
const over = (emit: Emit, a: Value, b: Value): Value => emit.op("Div", [a, b]);
const root = (emit: Emit, x: Value): Value => emit.op("Sqrt", [x]);
const isBeyond = (emit: Emit, x: Value, bound: number): Value =>
  emit.op("Greater", [emit.op("Abs", [x]), scalar(emit, x, bound)]);
const choose = (emit: Emit, where: Value, a: Value, b: Value): Value =>
  emit.op("Where", [where, a, b]);

const plain: Readonly<Record<Plain, (emit: Emit, x: Value) => Value>> = {
  Tan: (emit, x) => over(emit, emit.op("Sin", [x]), emit.op("Cos", [x])),
  Atan: arctangent,
  Sinh: (emit, x) => {
    const isFar = isBeyond(emit, x, 1);
    const near = choose(emit, isFar, scalar(emit, x, 0), x);
    const [up, down] = growth(emit, x);
    return choose(
      emit,
      isFar,
      times(emit, minus(emit, up, down), 0.5),
      oddSeries(emit, near, sinhTerms),
    );
  },
  Cosh: (emit, x) => times(emit, plus(emit, ...growth(emit, x)), 0.5),
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
  const inverse = emit.op("Reciprocal", [choose(emit, isFar, x, scalar(emit, x, 1))]);
  const a = choose(emit, isFar, inverse, x);
  const t = castTo(emit, emit.op("Atan", [castTo(emit, a, "float32")]), "float64");
  const tangent = plain.Tan(emit, t);
  const rest = over(emit, minus(emit, a, tangent), plus(emit, times(emit, a, tangent), 1));
  const near = plus(emit, t, rest);
  const quarter = times(emit, emit.op("Sign", [x]), Math.PI / 2);
  return choose(emit, isFar, minus(emit, quarter, near), near);
}

/** 1 − x² */
const restOfSquare = (emit: Emit, x: Value): Value =>
  times(emit, minus(emit, scalar(emit, x, 1), x), plus(emit, x, 1));

/** 2 atan(x / (1 + √(1 − x²))) */
const arcsine = (emit: Emit, x: Value): Value =>
  times(emit, arctangent(emit, over(emit, x, plus(emit, root(emit, restOfSquare(emit, x)), 1))), 2);

const arcsineSlope = (emit: Emit, x: Value): Value => inverseRoot(emit, restOfSquare(emit, x));

const inverseRoot = (emit: Emit, square: Value): Value =>
  emit.op("Reciprocal", [root(emit, square)]);

/** x (c₀ + c₁ x² + c₂ x⁴ + …) */
function oddSeries(emit: Emit, x: Value, terms: readonly number[]): Value {
  const square = times(emit, x, x);
  const [last, ...rest] = terms.toReversed() as [number, ...number[]];
  const sum = rest.reduce<Value>(
    (held, term) => plus(emit, times(emit, held, square), term),
    scalar(emit, x, last),
  );
  return times(emit, x, sum);
}

/** 1 / (2n + 1)! */
const sinhTerms = Array.from({ length: 10 }, (_, n) => {
  let term = 1;
  for (let k = 2; k <= 2 * n + 1; k++) term /= k;
  return term;
});

interface SlopedFunction {
  readonly make: (emit: Emitter, x: Value) => Value;
  readonly slope: (emit: Emit, x: Value) => Value;
}

const sloped: Readonly<Record<Sloped, SlopedFunction>> = {
  Erf: {
    make: wideErf,
    slope: (emit, x) => {
      const bell = emit.op("Exp", [emit.op("Neg", [times(emit, x, x)])]);
      return times(emit, bell, 2 / Math.sqrt(Math.PI));
    },
  },
  Asin: { make: arcsine, slope: arcsineSlope },
  Acos: {
    make: (emit, x) => minus(emit, scalar(emit, x, Math.PI / 2), arcsine(emit, x)),
    slope: (emit, x) => emit.op("Neg", [arcsineSlope(emit, x)]),
  },
  // ±ln(1 + |x| + x² / (1 + √(x² + 1))), of large numbers ±(ln |x| + ln 2)
  Asinh: {
    make: (emit, x) => {
      const size = emit.op("Abs", [x]);
      const isFar = isBeyond(emit, x, 1e8);
      const near = choose(emit, isFar, scalar(emit, x, 0), size);
      const square = times(emit, near, near);
      const leg = plus(emit, root(emit, plus(emit, square, 1)), 1);
      const sum = log1pOf(emit, plus(emit, near, over(emit, square, leg)));
      const far = plus(emit, emit.op("Log", [size]), Math.LN2);
      return times(emit, emit.op("Sign", [x]), choose(emit, isFar, far, sum));
    },
    slope: (emit, x) => inverseRoot(emit, plus(emit, times(emit, x, x), 1)),
  },
  // ln(1 + s + √(2s + s²)) with s = x − 1, of large numbers ln x + ln 2
  Acosh: {
    make: (emit, x) => {
      const isFar = isBeyond(emit, x, 1e8);
      const above = plus(emit, choose(emit, isFar, scalar(emit, x, 1), x), -1);
      const leg = root(emit, times(emit, above, plus(emit, above, 2)));
      const sum = log1pOf(emit, plus(emit, above, leg));
      return choose(emit, isFar, plus(emit, emit.op("Log", [x]), Math.LN2), sum);
    },
    slope: (emit, x) => inverseRoot(emit, plus(emit, times(emit, x, x), -1)),
  },
  // ±ln(1 + 2|x| / (1 − |x|)) / 2
  Atanh: {
    make: (emit, x) => {
      const size = emit.op("Abs", [x]);
      const rest = minus(emit, scalar(emit, x, 1), size);
      const log = log1pOf(emit, over(emit, times(emit, size, 2), rest));
      return times(emit, times(emit, emit.op("Sign", [x]), 0.5), log);
    },
    slope: (emit, x) => emit.op("Reciprocal", [minus(emit, scalar(emit, x, 1), times(emit, x, x))]),
  },
};
