/** Every distribution that fills a tensor, by the names that jobs use. */
import type { DType, Numbers } from "../graph/tensor.ts";
import { bernoulli } from "./bernoulli.ts";
import { cauchy, exponential, geometric } from "./continuous.ts";
import type { Generator } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { randint, randintDraws, randintProblem, random_, randomDraws } from "./integers.ts";
import { logNormal, normal, normalDraws, stridedNormal } from "./normal.ts";
import type { TruncNormal } from "./truncNormal.ts";
import { isUntruncated, truncNormal, truncNormalProblem } from "./truncNormal.ts";
import { uniform, uniformProblem } from "./uniform.ts";

export interface FillParams {
  uniform: { readonly from: number; readonly to: number; readonly dtype: FloatType };
  normal: { readonly mean: number; readonly std: number; readonly dtype: FloatType };
  /** For tensors that are not contiguous; those of less than 16 numbers are alike. */
  stridedNormal: { readonly mean: number; readonly std: number; readonly dtype: FloatType };
  logNormal: { readonly mean: number; readonly std: number; readonly dtype: FloatType };
  truncNormal: TruncNormal;
  bernoulli: { readonly p: number; readonly dtype: DType };
  exponential: { readonly lambda: number; readonly dtype: FloatType };
  cauchy: { readonly median: number; readonly sigma: number; readonly dtype: FloatType };
  geometric: { readonly p: number; readonly dtype: DType };
  randint: { readonly low: number; readonly high: number; readonly dtype: DType };
  random_: { readonly dtype: DType };
}

export type FillKind = keyof FillParams;

interface Distribution<P> {
  /** Presumes parameters without a problem. */
  readonly fill: (gen: Generator, out: Numbers, params: P) => void;
  /** 32-bit draws for `n` numbers; null where the numbers themselves decide. */
  readonly draws: (n: number, params: P) => number | null;
  /** What PyTorch's RuntimeError says of the parameters. */
  readonly problem: (params: P) => string | null;
}

const two = (n: number): number => 2 * n;

const unless = (isFine: boolean, problem: string): string | null => (isFine ? null : problem);

const negativeStd = (std: number): string | null =>
  unless(std >= 0, `normal expects std >= 0.0, but found std ${std}`);

export const distributions: { readonly [K in FillKind]: Distribution<FillParams[K]> } = {
  uniform: {
    fill: (gen, out, { from, to, dtype }) => uniform(gen, out, from, to, dtype),
    draws: (n, { dtype }) => (dtype === "float64" ? 2 * n : n),
    problem: ({ from, to, dtype }) => uniformProblem(from, to, dtype),
  },
  normal: {
    fill: (gen, out, { mean, std, dtype }) => normal(gen, out, mean, std, dtype),
    draws: (n, { dtype }) => normalDraws(n, dtype),
    problem: ({ std }) => negativeStd(std),
  },
  stridedNormal: {
    fill: (gen, out, { mean, std, dtype }) => stridedNormal(gen, out, mean, std, dtype),
    draws: () => null,
    problem: ({ std }) => negativeStd(std),
  },
  logNormal: {
    fill: (gen, out, { mean, std, dtype }) => logNormal(gen, out, mean, std, dtype),
    draws: () => null,
    problem: ({ std }) => unless(std > 0, `log_normal_ expects std > 0.0, but found std=${std}`),
  },
  truncNormal: {
    fill: truncNormal,
    draws: (n, params) => (isUntruncated(params) ? normalDraws(n, params.dtype) : null),
    problem: truncNormalProblem,
  },
  bernoulli: {
    fill: (gen, out, { p }) => bernoulli(gen, out, p),
    draws: two,
    problem: ({ p }) =>
      unless(p >= 0 && p <= 1, `bernoulli_ expects p to be in [0, 1], but got p=${p}`),
  },
  exponential: {
    fill: (gen, out, { lambda, dtype }) => exponential(gen, out, lambda, dtype),
    draws: two,
    problem: ({ lambda }) =>
      unless(lambda > 0, `exponential_ expects lambda > 0.0, but found lambda=${lambda}`),
  },
  cauchy: {
    fill: (gen, out, { median, sigma, dtype }) => cauchy(gen, out, median, sigma, dtype),
    draws: two,
    problem: ({ sigma }) =>
      unless(sigma > 0, `cauchy_ expects sigma > 0.0, but found sigma=${sigma}`),
  },
  geometric: {
    fill: (gen, out, { p, dtype }) => geometric(gen, out, p, dtype),
    draws: two,
    problem: ({ p }) =>
      unless(p > 0 && p < 1, `geometric_ expects p to be in (0, 1), but got p=${p}`),
  },
  randint: {
    fill: (gen, out, { low, high, dtype }) => randint(gen, out, low, high, dtype),
    draws: (n, { low, high, dtype }) => n * randintDraws(low, high, dtype),
    problem: ({ low, high, dtype }) => randintProblem(low, high, dtype),
  },
  random_: {
    fill: (gen, out, { dtype }) => random_(gen, out, dtype),
    draws: (n, { dtype }) => n * randomDraws(dtype),
    problem: () => null,
  },
};
