/** Steps whose gradients are many times those of the steps before. */
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { counted, figure } from "./evidence.ts";
import { median } from "./stacks.ts";
import { finite, medianBefore, type TrainedEvidence } from "./trainedEvidence.ts";

const window = 20;

/**
 * Beside the steps before, and beside all of the run as well: near the end of a batch that is learnt
 * by heart the gradients are small, and their ratios mean nothing.
 */
export function gradientSpikes({ run, limits, lossPlace }: TrainedEvidence): Finding[] {
  const gradients = run.steps.map(({ gradient }) => fromNum(gradient));
  if (gradients.length <= window) return [];
  const usual = median(finite(run.steps.slice(0, window).map(({ gradient }) => gradient)));
  const spikes = gradients.flatMap((gradient, at) => {
    if (at < window || !Number.isFinite(gradient)) return [];
    const ratio = gradient / medianBefore(gradients, at, window);
    const isSpike = ratio > limits.gradientSpike && gradient > limits.gradientSpike * usual;
    return isSpike ? [{ step: run.steps[at]?.step ?? 0, gradient, ratio }] : [];
  });
  const [first] = spikes;
  const worst = spikes.toSorted((a, b) => b.ratio - a.ratio)[0];
  if (first === undefined || worst === undefined) return [];
  const clip = run.settings.clip;
  const clipped = clip === null ? "not clipped" : `clipped at ${clip}`;
  return [
    {
      code: "training/gradient-spikes",
      severity: "warning",
      message: `At step ${worst.step} the gradients' norm was ${figure(worst.gradient)}, ${figure(worst.ratio)} times the median of the ${window} steps before (${clipped}); ${counted(spikes.length, "step")} of ${gradients.length} like it`,
      ...lossPlace,
      module: null,
      evidence: {
        ...{ step: worst.step, gradient: worst.gradient, ratio: worst.ratio },
        ...{ limit: limits.gradientSpike, first: first.step, steps: spikes.length },
      },
    },
  ];
}
