/** A loss that never fell below what a model gives that knows nothing of the text before. */
import type { Finding } from "../protocol/report.ts";
import { figure } from "./evidence.ts";
import { median } from "./stacks.ts";
import { lossesOf, type TrainedEvidence } from "./trainedEvidence.ts";

const fewestSteps = 100;
const window = 20;

export function unlearnt({ run, limits, classes, lossPlace }: TrainedEvidence): Finding[] {
  const losses = lossesOf(run.steps);
  const { unigram } = run.reference;
  if (losses.length < fewestSteps || run.end.reason === "not-finite") return [];
  if (unigram === null && classes === null) return [];
  const level = unigram ?? Math.log(classes ?? 1);
  const name = unigram === null ? `ln ${classes}, which even logits give` : "symbol frequencies";
  const medians = Array.from({ length: losses.length - window + 1 }, (_, at) =>
    median(losses.slice(at, at + window)),
  );
  const best = Math.min(...medians);
  if (!(best > level - limits.lossGain)) return [];
  const knows = unigram === null ? "" : " alone give";
  return [
    {
      code: "training/unlearnt",
      severity: "warning",
      message: `In ${losses.length} steps the loss came to ${figure(best)} (median of ${window}), and ${name}${knows} ${figure(level)}: nothing was learnt of what comes before`,
      ...lossPlace,
      module: null,
      evidence: { "best loss": best, level, limit: limits.lossGain, steps: losses.length },
    },
  ];
}
