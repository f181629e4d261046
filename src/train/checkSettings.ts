/** Refuses settings that nothing can be trained with. */
import type { TrainSettings } from "../protocol/training.ts";
import { isInRange, type RangedSetting, trainingRanges } from "../protocol/trainingFields.ts";
import { badSetting } from "./errors.ts";

export function checkSettings({ schedule, optimizer, ...training }: TrainSettings): void {
  const { steps, batch, seq, accumulate, clip } = training;
  const { lr, warmup, end, decayShare, gamma, every } = schedule;
  const { momentum, betas = [], eps, weightDecay } = optimizer;
  const given = { steps, batch, seq, accumulate, clip, lr, warmup, end, decayShare, gamma };
  const named = Object.entries({ ...given, stepLength: every, momentum, eps, weightDecay });
  for (const [name, value] of [...named, ...betas.map((beta) => ["beta", beta] as const)])
    if (typeof value === "number" && !isInRange(name as RangedSetting, value))
      throw badSetting(name, trainingRanges[name as RangedSetting].needs, value);
}
