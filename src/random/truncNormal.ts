/** `torch.nn.init.trunc_normal_`: a normal distribution without the numbers outside an interval. */
import type { Numbers } from "../graph/tensor.ts";
import { allocate } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import type { FloatType } from "./fill.ts";
import { rounder } from "./fill.ts";
import { normal } from "./normal.ts";
import { uniform, uniformProblem } from "./uniform.ts";

export interface TruncNormal {
  readonly mean: number;
  readonly std: number;
  /** The bounds, both included. */
  readonly a: number;
  readonly b: number;
  readonly dtype: FloatType;
}

/** e^(−x²) · 2/√π · Σ 2ⁿ x^(2n+1) / (2n+1)!!, whose terms are all of one sign. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

const normalCdf = (x: number): number => (1 + erf(x / Math.SQRT2)) / 2;

/** What of the distribution lies in the interval. */
const mass = ({ mean, std, a, b }: TruncNormal): number =>
  normalCdf((b - mean) / std) - normalCdf((a - mean) / std);

/** Below this mass, PyTorch draws from the interval instead of from the distribution. */
const sparse = 0.3;

/** No normal number lies beyond √(−2 ln 2⁻⁵³) = 8.57; the rest is for bounds that are rounded. */
const reach = 9;

/** True where all numbers fall into the interval, so that this is `normal`. */
export const isUntruncated = ({ mean, std, a, b }: TruncNormal): boolean =>
  std > 0 && mean - reach * std > a && mean + reach * std < b;

/** What PyTorch says of parameters that it refuses. */
export function truncNormalProblem(params: TruncNormal): string | null {
  if (params.std === 0) return "division by zero";
  return mass(params) > sparse ? null : uniformProblem(params.a, params.b, params.dtype);
}

/** Draws all numbers anew, keeps those inside, until none is outside. */
function redraw(gen: Generator, out: Numbers, { mean, std, a, b, dtype }: TruncNormal): void {
  const round = rounder(dtype);
  const [low, high] = [round(a), round(b)];
  const isOutside = (x: number): boolean => x < low || x > high;
  normal(gen, out, mean, std, dtype);
  if (!out.some(isOutside)) return;
  const fresh = allocate(dtype, out.length);
  do {
    normal(gen, fresh, mean, std, dtype);
    for (let i = 0; i < out.length; i++)
      if (isOutside(out[i] as number)) out[i] = fresh[i] as number;
  } while (out.some(isOutside));
}

/** Rejection sampling: uniform candidates, each accepted with the density relative to its peak. */
function reject(gen: Generator, out: Numbers, { mean, std, a, b, dtype }: TruncNormal): void {
  const round = rounder(dtype);
  /** How a number takes part in the arithmetic of the type. */
  const operand = dtype === "float64" ? round : Math.fround;
  const mode = Math.max(a, Math.min(mean, b));
  const logPeak = -0.5 * ((mode - mean) / std) ** 2;
  const relativeLogDensity = (x: number): number => {
    const deviation = round(round(x - operand(mean)) / operand(std));
    return round(round(-0.5 * round(deviation * deviation)) - operand(logPeak));
  };
  const candidates = allocate(dtype, out.length);
  const chances = allocate(dtype, out.length);
  const pending = new Uint8Array(out.length).fill(1);
  do {
    uniform(gen, candidates, a, b, dtype);
    uniform(gen, chances, 0, 1, dtype);
    for (let i = 0; i < out.length; i++) {
      if (pending[i] === 0) continue;
      const x = candidates[i] as number;
      out[i] = x;
      pending[i] = round(Math.log(chances[i] as number)) > relativeLogDensity(x) ? 1 : 0;
    }
  } while (pending.includes(1));
}

export function truncNormal(gen: Generator, out: Numbers, options: TruncNormal): void {
  if (isUntruncated(options)) normal(gen, out, options.mean, options.std, options.dtype);
  else if (mass(options) > sparse) redraw(gen, out, options);
  else reject(gen, out, options);
}
