/** The distributions that invert a cumulative distribution function in float64. */
import type { DType, Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { fillFromUnitDoubles, rounder } from "./fill.ts";

/** `Tensor.exponential_`: −ln(1 − u) / λ */
export function exponential(gen: Generator, out: Numbers, lambda: number, dtype: FloatType): void {
  const round = rounder(dtype);
  const minusScale = -1 / lambda;
  fillFromUnitDoubles(gen, out, (u) => round(minusScale * Math.log1p(-u)));
}

/** `Tensor.cauchy_`: median + σ tan(π(u − ½)) */
export function cauchy(
  gen: Generator,
  out: Numbers,
  median: number,
  sigma: number,
  dtype: FloatType,
): void {
  const round = rounder(dtype);
  fillFromUnitDoubles(gen, out, (u) => round(median + sigma * Math.tan(Math.PI * (u - 0.5))));
}

/** `Tensor.geometric_`: ⌈ln u / ln(1 − p)⌉; `round` is the identity for integers. */
export function geometric(gen: Generator, out: Numbers, p: number, dtype: DType): void {
  const round = rounder(dtype);
  const logFailure = Math.log1p(-p);
  fillFromUnitDoubles(gen, out, (u) => round(Math.ceil(Math.log(u) / logFailure)));
}
