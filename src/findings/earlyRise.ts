/** A loss that rises within the first steps, at a learning rate that was not warmed up to. */
import type { Finding } from "../protocol/report.ts";
import { figure } from "./evidence.ts";
import { lossesOf, type TrainedEvidence } from "./trainedEvidence.ts";

const fewestSteps = 10;
const firstSteps = 20;
const firstShare = 0.1;

export function earlyRise({ run, limits, lossPlace }: TrainedEvidence): Finding[] {
  const { schedule } = run.settings;
  const early = Math.max(firstSteps, Math.round(firstShare * run.steps.length));
  const losses = lossesOf(run.steps.slice(0, early));
  const [first] = losses;
  if (first === undefined || losses.length < fewestSteps || !Number.isFinite(first)) return [];
  const highest = Math.max(...losses.filter(Number.isFinite));
  const rise = highest - first;
  const step = run.steps[losses.indexOf(highest)]?.step ?? 0;
  if (!(rise > limits.lossRise) || step <= schedule.warmup) return [];
  const warmUp =
    schedule.warmup > 0 ? `after ${schedule.warmup} steps of warm-up` : "without warm-up";
  return [
    {
      code: "training/early-rise",
      severity: "warning",
      message: `The loss rose from ${figure(first)} to ${figure(highest)} at step ${step}, at a learning rate of ${schedule.lr} ${warmUp}`,
      ...lossPlace,
      module: null,
      evidence: {
        ...{ "first loss": first, "highest loss": highest, step, rise, limit: limits.lossRise },
        ...{ lr: schedule.lr, "warm-up": schedule.warmup },
      },
    },
  ];
}
