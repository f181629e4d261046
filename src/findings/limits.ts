/** Every threshold of the rules, in one place. Each can be set by its name. */

export interface Limits {
  /** Bits between the largest value and the end of a half type. */
  readonly halfMarginBits: number;
  /** How far an attention row's sum may be from one. */
  readonly rowSum: number;
  /** Share of eps in the variance (or the root) that a norm divides by. */
  readonly epsShare: number;
  /** The same for an eps above `usualEps`: then eps is the cause, and not a small variance. */
  readonly largeEpsShare: number;
  readonly usualEps: number;
  /** Nats by which the first loss may exceed ln V. Logits of standard deviation s add about s²/2. */
  readonly lossExcess: number;
  /** Factor of the gradient over all blocks of a stack, by the median of the blocks' gains. */
  readonly depthGradient: number;
  /** Exponent of the stream's RMS over depth; independent branches give one half. */
  readonly streamExponent: number;
  /** How much smaller beside the stream the last third's branches may be than the first third's. */
  readonly branchDecline: number;
  /** Share of a layer's units that get no gradient from any row. */
  readonly deadUnits: number;
  /** Nats: below it in every head, attention copies one key. */
  readonly entropy: number;
  /** Standard deviation of scores that are not scaled. */
  readonly unscaledScores: number;
  /** RMS of tanh's results. */
  readonly saturatedRms: number;
  /** Share that a dropout drops. */
  readonly dropout: number;
  /** Standard deviation of biases, times the root of their map's inputs. */
  readonly biasTimes: number;
  /** Share of what experts add that is exactly 0: tokens that none of them got. */
  readonly droppedTokens: number;
  /** Norm of a layer's update beside that of its weights, at most and at least (about 1e-3 is usual). */
  readonly updateMost: number;
  readonly updateLeast: number;
  /** Label smoothing: the share that is taken from the right class. */
  readonly smoothing: number;
  /** Nats that a loss must fall below what frequencies alone give. */
  readonly lossGain: number;
  /** How many times the gradients of the steps before, and of the first, those of one step may be. */
  readonly gradientSpike: number;
  /** Nats by which the loss may rise above the first within the first steps. */
  readonly lossRise: number;
}

export const defaultLimits: Limits = {
  halfMarginBits: 1,
  rowSum: 0.01,
  epsShare: 0.5,
  largeEpsShare: 0.01,
  usualEps: 1e-5,
  lossExcess: 1,
  depthGradient: 30,
  streamExponent: 0.9,
  branchDecline: 50,
  deadUnits: 0.5,
  entropy: 0.1,
  unscaledScores: 2,
  saturatedRms: 0.97,
  dropout: 0.7,
  biasTimes: 2,
  droppedTokens: 0.5,
  updateMost: 0.1,
  updateLeast: 1e-5,
  smoothing: 0.5,
  lossGain: 0.01,
  gradientSpike: 10,
  lossRise: 0.5,
};

/** Names that are no limits are left out. */
export function limitsWith(given: Readonly<Record<string, number>> = {}): Limits {
  const known = Object.keys(defaultLimits);
  const own = Object.entries(given).filter(([name]) => known.includes(name));
  return { ...defaultLimits, ...Object.fromEntries(own) };
}
