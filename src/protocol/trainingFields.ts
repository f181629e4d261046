/** What the settings of training may be, and which of them an optimizer or a schedule has. */
import type { OptimizerName, ScheduleName } from "./training.ts";

/** What only some optimizers and schedules have. */
export type SpecialField =
  | "momentum"
  | "nesterov"
  | "betas"
  | "eps"
  | "end"
  | "decayShare"
  | "gamma"
  | "stepLength";

export const ofOptimizer: Readonly<Record<OptimizerName, readonly SpecialField[]>> = {
  sgd: ["momentum", "nesterov"],
  adam: ["betas", "eps"],
  adamw: ["betas", "eps"],
  adafactor: ["eps"],
  lion: ["betas"],
  muon: ["momentum", "nesterov", "betas", "eps"],
};

export const ofSchedule: Readonly<Record<ScheduleName, readonly SpecialField[]>> = {
  constant: [],
  linear: ["end"],
  cosine: ["end"],
  "inverse-sqrt": [],
  wsd: ["end", "decayShare"],
  step: ["gamma", "stepLength"],
};

export interface Range {
  /** As words, with an article. */
  readonly needs: string;
  holds(value: number): boolean;
}

const notNegative: Range = { needs: "a number of 0 or above", holds: (x) => x >= 0 };
const above: Range = { needs: "a number above 0", holds: (x) => x > 0 };
const count: Range = {
  needs: "a whole number above 0",
  holds: (x) => Number.isSafeInteger(x) && x > 0,
};
const whole: Range = {
  needs: "a whole number of 0 or above",
  holds: (x) => Number.isSafeInteger(x) && x >= 0,
};

/** Numbers are finite besides. */
export const trainingRanges = {
  steps: count,
  batch: count,
  seq: count,
  accumulate: count,
  lr: notNegative,
  warmup: whole,
  momentum: { needs: "a number from 0 to 1", holds: (x) => x >= 0 && x <= 1 },
  beta: { needs: "a number of 0 or above and below 1", holds: (x) => x >= 0 && x < 1 },
  eps: notNegative,
  weightDecay: notNegative,
  end: notNegative,
  decayShare: { needs: "a number above 0 and at most 1", holds: (x) => x > 0 && x <= 1 },
  gamma: notNegative,
  stepLength: count,
  clip: above,
} as const satisfies Readonly<Record<string, Range>>;

export type RangedSetting = keyof typeof trainingRanges;

export const isInRange = (name: RangedSetting, value: number): boolean =>
  Number.isFinite(value) && trainingRanges[name].holds(value);
