/** Distributions that reject what they draw: each number takes as many draws as it needs. */
import { torchError } from "../errors.ts";
import type { DType, Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import { rounder } from "./fill.ts";
import { nextUnitDouble, scalarNormal } from "./normal.ts";

const third = Math.fround(1 / 3);
const squeeze = Math.fround(0.0331);

/** One number of Γ(α, 1). Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). */
function gammaNumber(gen: Generator, concentration: number): number {
  if (concentration === 0) return 0;
  const isSmall = concentration < 1;
  // Γ(α) is Γ(α + 1) · U^(1/α).
  const scale = isSmall ? (1 - nextUnitDouble(gen)) ** (1 / concentration) : 1;
  const d = (isSmall ? concentration + 1 : concentration) - third;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const [x, y] = positiveRoot(gen, c);
    const v = y * y * y;
    const u = 1 - nextUnitDouble(gen);
    const square = x * x;
    if (u < 1 - squeeze * square * square) return scale * d * v;
    if (Math.log(u) < 0.5 * square + d * (1 - v + Math.log(v))) return scale * d * v;
  }
}

function positiveRoot(gen: Generator, c: number): readonly [number, number] {
  for (;;) {
    const x = scalarNormal(gen);
    const y = 1 + c * x;
    // A root that is no number passes, as it does in PyTorch.
    if (!(y <= 0)) return [x, y];
  }
}

/** The smallest normal number of a type, below which no sample falls. */
const smallest = (dtype: DType): number =>
  dtype === "float64" ? 2 ** -1022 : dtype === "float16" ? 2 ** -14 : 2 ** -126;

/** `torch._standard_gamma`: each number has its own concentration. */
export function standardGamma(
  gen: Generator,
  out: Numbers,
  concentrations: Numbers,
  dtype: DType,
): void {
  const [round, least] = [rounder(dtype), smallest(dtype)];
  for (let i = 0; i < out.length; i++)
    out[i] = atLeast(least, round(gammaNumber(gen, concentrations[i] as number)));
}

/** C++'s `max`: what is no number is the bound. */
const atLeast = (least: number, x: number): number =>
  Number.isNaN(x) ? least : Math.max(least, x);

/** `torch._sample_dirichlet`: rows of `width` numbers that sum to one. */
export function dirichlet(
  gen: Generator,
  out: Numbers,
  concentrations: Numbers,
  width: number,
  dtype: DType,
): void {
  const [round, least] = [rounder(dtype), smallest(dtype)];
  const most = dtype === "float64" ? 1 - 2 ** -53 : 1 - 2 ** -24;
  const drawn = Float64Array.from(concentrations, (one) =>
    atLeast(2 ** -1022, gammaNumber(gen, one)),
  );
  for (let start = 0; start < out.length; start += width) {
    const sum = drawn.subarray(start, start + width).reduce((a, b) => a + b, 0);
    for (let i = start; i < start + width; i++)
      out[i] = Math.min(most, Math.max(least, round((drawn[i] as number) / sum)));
  }
}

/** `torch.poisson`: each number has its own rate. */
export function poisson(gen: Generator, out: Numbers, rates: Numbers): void {
  for (let i = 0; i < out.length; i++) out[i] = poissonNumber(gen, rates[i] as number);
}

function poissonNumber(gen: Generator, rate: number): number {
  if (!(rate >= 0))
    throw torchError(
      "RuntimeError",
      "invalid Poisson rate, expected rate to be non-negative",
      "rate is the mean number of events",
    );
  if (rate === 0) return 0;
  return rate >= 10 ? poissonByRejection(gen, rate) : poissonByProduct(gen, rate);
}

/** How many uniform numbers can be multiplied before the product is below e^−λ (Knuth). */
function poissonByProduct(gen: Generator, rate: number): number {
  const end = Math.exp(-rate);
  let product = nextUnitDouble(gen);
  let count = 0;
  for (; product > end; count++) product *= nextUnitDouble(gen);
  return count;
}

/** Hörmann, "The transformed rejection method for generating Poisson random variables" (1993), PTRS. */
function poissonByRejection(gen: Generator, rate: number): number {
  const b = 0.931 + 2.53 * Math.sqrt(rate);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const accepted = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = nextUnitDouble(gen) - 0.5;
    const v = nextUnitDouble(gen);
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= accepted) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const density = -rate + k * Math.log(rate) - logFactorial(k);
    if (Math.log(v) + Math.log(inverseAlpha) - Math.log(a / (us * us) + b) <= density) return k;
  }
}

function logFactorial(k: number): number {
  let sum = 0;
  for (let n = 2; n <= k; n++) sum += Math.log(n);
  return sum;
}
