/** Counts of successes: each number takes as many draws as it needs. */
import type { DType, Numbers } from "../graph/tensor.ts";
import type { Generator } from "./engine.ts";
import { rounder } from "./fill.ts";
import { nextUnitDouble } from "./normal.ts";

/** `torch.binomial`: each number has its own count of trials and probability, of one type. */
export function binomial(
  gen: Generator,
  out: Numbers,
  counts: Numbers,
  probabilities: Numbers,
  dtype: DType,
): void {
  const round = rounder(dtype);
  for (let i = 0; i < out.length; i++)
    out[i] = binomialNumber(gen, counts[i] as number, probabilities[i] as number, round);
}

type Round = (x: number) => number;

function binomialNumber(gen: Generator, count: number, p: number, round: Round): number {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (Number.isNaN(p)) return Number.NaN;
  if (p > 0.5) return count - successes(gen, count, round(1 - p), round);
  return successes(gen, count, p, round);
}

/** For p ≤ ½. */
const successes = (gen: Generator, count: number, p: number, round: Round): number =>
  round(count * p) >= 10 ? byRejection(gen, count, p, round) : byWaiting(gen, count, p, round);

/** How many geometric waits fit into `count` trials. */
function byWaiting(gen: Generator, count: number, p: number, round: Round): number {
  const rate = round(Math.log1p(-p));
  let trials = 0;
  for (let found = 0; ; found++) {
    trials += Math.ceil(Math.log(nextUnitDouble(gen)) / rate);
    if (trials > count) return found;
  }
}

/** Hörmann, "The generation of binomial random variates" (1993), BTRS; in float arithmetic where PyTorch's is. */
function byRejection(gen: Generator, count: number, p: number, round: Round): number {
  const mean = round(count * p);
  const rest = round(1 - p);
  const deviation = round(Math.sqrt(round(mean * rest)));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const accepted = 0.92 - 4.2 / b;
  const odds = round(p / rest);
  const alpha = (2.83 + 5.1 / b) * deviation;
  const mode = Math.floor(round(round(count + 1) * p));
  for (;;) {
    const u = nextUnitDouble(gen) - 0.5;
    const v = nextUnitDouble(gen);
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.5);
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= accepted) return k;
    const bound =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (count - mode + 1))) +
      (count + 1) * Math.log((count - mode + 1) / (count - k + 1)) +
      (k + 0.5) * Math.log((odds * (count - k + 1)) / (k + 1)) +
      stirlingRest(mode) +
      stirlingRest(count - mode) -
      stirlingRest(k) -
      stirlingRest(count - k);
    if (Math.log((v * alpha) / (a / (us * us) + b)) <= bound) return k;
  }
}

/** ln k! − ((k + ½) ln(k + 1) − k − 1 + ½ ln 2π): its first numbers, its series from 10 on. */
function stirlingRest(k: number): number {
  const known = firstRests[k];
  if (known !== undefined) return known;
  const square = (k + 1) * (k + 1);
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1);
}

const firstRests = [
  0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
  0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.010411265261972,
  0.00925546218271273, 0.00833056343336287,
];
