/** The learning rate of each step. */

import type { ScheduleName, ScheduleSettings } from "../protocol/training.ts";

/** Factor of the largest rate after the warm-up: `at` steps of `steps` were taken before. */
type Shape = (at: number, steps: number, settings: ScheduleSettings) => number;

const shapes: Readonly<Record<ScheduleName, Shape>> = {
  constant: () => 1,

  linear: (at, steps, { warmup, end = 0 }) => 1 + (end - 1) * share(at - warmup, steps - warmup),

  /** Loshchilov and Hutter 2017, https://arxiv.org/abs/1608.03983, without restarts. */
  cosine: (at, steps, { warmup, end = 0 }) =>
    end + ((1 - end) * (1 + Math.cos(Math.PI * share(at - warmup, steps - warmup)))) / 2,

  /** Vaswani et al. 2017, section 5.3: min(t^-1/2, t · w^-3/2), its peak at `lr`. */
  "inverse-sqrt": (at, _steps, { warmup }) => Math.sqrt(Math.max(warmup, 1) / (at + 1)),

  /** Warm-up, stable, decay: Hu et al. 2024, https://arxiv.org/abs/2404.06395. */
  wsd: (at, steps, { end = 0, decayShare = 0.1 }) => {
    const decay = Math.max(1, Math.round(steps * decayShare));
    return 1 + (end - 1) * share(at - (steps - decay), decay);
  },

  step: (at, _steps, { warmup, gamma = 0.1, every = 100 }) =>
    gamma ** Math.floor(Math.max(at - warmup, 0) / every),
};

/** `step` is one-based. Step `warmup` is the first with the full rate. */
export function learningRate(settings: ScheduleSettings, step: number, steps: number): number {
  const { name, lr, warmup } = settings;
  if (step < warmup) return (lr * step) / warmup;
  return lr * shapes[name](step - 1, steps, settings);
}

const share = (part: number, whole: number): number =>
  whole <= 0 ? 1 : Math.min(Math.max(part / whole, 0), 1);
