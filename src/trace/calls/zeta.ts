/** Hurwitz's zeta function, and the derivatives of the digamma function that come of it. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { castTo } from "../../ops/write.ts";
import { int, isScalar, isTensor, operand, tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { rounded } from "../rounding.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { withSlope } from "./curves.ts";
import { underivable } from "./derivatives.ts";
import { add, mul, num, where } from "./formulas.ts";
import { digammaOf, trigammaOf } from "./gamma.ts";

/** B₂ⱼ / (2j)! */
const bernoulli = [
  1 / 12,
  -1 / 720,
  1 / 30240,
  -1 / 1209600,
  1 / 47900160,
  -691 / 1307674368000,
  1 / 74724249600,
  -3617 / 10670622842880000,
];
/** Terms that are summed up before the series that stands for the rest. */
const direct = 12;
/** The share of a sum that is lost in double precision. */
const lost = 2 ** -53;

/** Σ (q + k)^−s for q > 0 by Euler and Maclaurin. https://dlmf.nist.gov/25.11.E5 */
function hurwitzAbove(emit: Emit, s: Value, q: Value): Value {
  const exponent = emit.op("Neg", [s]);
  const shifted = (k: number) => add(emit, q, num(emit, q, k));
  let last = emit.op("Pow", [q, exponent]);
  let sum = last;
  for (let k = 1; k < direct; k++) {
    last = emit.op("Pow", [shifted(k), exponent]);
    sum = add(emit, sum, last);
  }
  const a = shifted(direct);
  const end = emit.op("Pow", [a, exponent]);
  const integral = emit.op("Div", [mul(emit, end, a), add(emit, s, num(emit, s, -1))]);
  let rest = add(emit, integral, mul(emit, end, num(emit, s, 0.5)));
  const inverse = emit.op("Reciprocal", [mul(emit, a, a)]);
  let term = emit.op("Div", [mul(emit, end, s), a]);
  bernoulli.forEach((weight, at) => {
    rest = add(emit, rest, mul(emit, term, num(emit, s, weight)));
    const [low, high] = [2 * at + 1, 2 * at + 2].map((k) => add(emit, s, num(emit, s, k)));
    term = mul(emit, mul(emit, term, mul(emit, low as Value, high as Value)), inverse);
  });
  const isDone = emit.op("Less", [last, mul(emit, sum, num(emit, s, lost))]);
  return where(emit, isDone, sum, add(emit, sum, rest));
}

/**
 * ζ(s, q) in double precision: ∞ at s = 1 and at the poles of q, no number for s < 1 nor for q < 0 to
 * a broken power. Below 0 it is ζ(s, f) + (−1)^s (ζ(s, 1 − f) − ζ(s, 1 − q)), f the fraction of q.
 */
function hurwitz(emit: Emit, s: Value, q: Value): Value {
  const zero = num(emit, q, 0);
  const one = num(emit, q, 1);
  const isWhole = (x: Value) => emit.op("Equal", [x, emit.op("Floor", [x])]);
  const isBelow = emit.op("LessOrEqual", [q, zero]);
  const half = num(emit, q, 0.5);
  const below = where(emit, isBelow, q, emit.op("Neg", [half]));
  const fraction = emit.op("Sub", [below, emit.op("Floor", [below])]);
  const above = hurwitzAbove(emit, s, where(emit, isBelow, fraction, q));
  const mirrored = emit.op("Sub", [
    hurwitzAbove(emit, s, emit.op("Sub", [one, fraction])),
    hurwitzAbove(emit, s, emit.op("Sub", [one, below])),
  ]);
  const isOdd = emit.op("Not", [isWhole(mul(emit, s, half))]);
  const turned = where(emit, isOdd, emit.op("Neg", [mirrored]), mirrored);
  const wild = where(emit, isWhole(s), add(emit, above, turned), num(emit, q, Number.NaN));
  const atPole = where(emit, isWhole(q), num(emit, q, Number.POSITIVE_INFINITY), wild);
  const value = where(emit, isBelow, atPole, above);
  const known = where(emit, emit.op("Less", [s, one]), num(emit, q, Number.NaN), value);
  const isOne = emit.op("Equal", [s, one]);
  return where(emit, isOne, num(emit, q, Number.POSITIVE_INFINITY), known);
}

const wide = (emit: Emit, x: Value): Value => castTo(emit, x, "float64");

const zetaOf = (emit: Emit, s: Value, q: Value): Value =>
  castTo(emit, hurwitz(emit, wide(emit, s), wide(emit, q)), q.dtype);

export const zeta = torchCall({
  name: "zeta",
  in: ["torch.special"],
  params: { input: operand, other: operand },
  savesFor: { other: ["input", "other"] },
  build: (ctx, { input, other }) => {
    if (isScalar(input) && isScalar(other))
      throw torchError("TypeError", "special_zeta(): one of both arguments must be a Tensor");
    const as = ctx.promoteToFloat(input, other);
    if (as !== "float32" && as !== "float64")
      throw torchError("NotImplementedError", `"zeta_cpu" not implemented for '${cppName(as)}'`);
    const { emit } = ctx;
    const [s, q] = [ctx.as(input, as), ctx.as(other, as)];
    const value = withSlope(
      emit,
      q,
      () => zetaOf(emit, s, q),
      // −s ζ(s + 1, q)
      (backward, _y, d) => {
        const next = zetaOf(backward, add(backward, s, num(backward, s, 1)), q);
        return mul(backward, mul(backward, d, backward.op("Neg", [s])), next);
      },
    );
    const refusal = torchError(
      "NotImplementedError",
      "the derivative for 'zeta' is not implemented.",
    );
    const sources = isTensor(input) ? [ctx.store.read(input)] : [];
    return { typed: underivable(emit, value, sources, refusal), as };
  },
});

/** ψ⁽ⁿ⁾: (−1)^(n+1) n! ζ(n + 1, x) from the second on, rounded where PyTorch rounds. */
function polygammaOf(emit: Emit, x: Value, n: number): Value {
  if (n === 0) return castTo(emit, digammaOf(emit, wide(emit, x)), x.dtype);
  if (n === 1) return trigammaOf(emit, x);
  let factor = n % 2 === 0 ? -1 : 1;
  for (let k = 2; k <= n; k++) factor *= k;
  return mul(emit, zetaOf(emit, num(emit, x, n + 1), x), num(emit, x, factor));
}

function derived(ctx: CallContext, n: number, input: Tensor) {
  if (n < 0) throw torchError("RuntimeError", "polygamma(n, x) does not support negative n.");
  const as = ctx.promoteToFloat(input);
  const x = ctx.as(input, as);
  const value = withSlope(
    ctx.emit,
    x,
    () => polygammaOf(ctx.emit, x, n),
    (backward, _y, d) => mul(backward, d, rounded(backward, polygammaOf(backward, x, n + 1), as)),
  );
  return { typed: value, as };
}

/** The n-th derivative of the digamma function. */
export const polygamma = torchCall({
  name: "polygamma",
  in: ["torch", "torch.special"],
  params: { n: int, input: tensor },
  saves: ["input"],
  build: (ctx, { n, input }) => derived(ctx, n, input),
});

export const polygammaMethod = torchCall({
  name: "polygamma",
  key: "Tensor.polygamma",
  in: ["Tensor"],
  params: { input: tensor, n: int },
  inPlace: true,
  saves: ["input"],
  build: (ctx, { n, input }) => derived(ctx, n, input),
});
