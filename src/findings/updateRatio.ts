/** Layers whose updates are far from what usually trains, beside their weights. */
import type { Finding } from "../protocol/report.ts";
import { figure } from "./evidence.ts";
import { median } from "./stacks.ts";
import { finite, type TrainedEvidence } from "./trainedEvidence.ts";

const fewestSteps = 10;
const namesShown = 2;

interface UnusualUpdate {
  readonly layer: string;
  readonly ratio: number;
}

/**
 * Norm of the update / norm of the weights, medians over the steps whose learning rate is at least
 * half of the largest. What is not updated at all is no layer of these.
 */
export function updateRatio(evidence: TrainedEvidence): Finding[] {
  const { run, limits } = evidence;
  const largest = Math.max(...run.steps.map(({ lr }) => lr));
  const told = run.steps.filter(({ lr }) => lr > 0 && lr >= largest / 2);
  if (told.length < fewestSteps) return [];
  const updates = run.layers.flatMap((layer, at): UnusualUpdate[] => {
    const ratios = finite(told.map(({ updateRatios }) => updateRatios[at] ?? "NaN"));
    const updated = ratios.filter((ratio) => ratio > 0);
    return updated.length === 0 ? [] : [{ layer, ratio: median(updated) }];
  });
  const { updateMost: most, updateLeast: least } = limits;
  const large = updates.filter(({ ratio }) => ratio > most).sort((a, b) => b.ratio - a.ratio);
  const small = updates.filter(({ ratio }) => ratio < least).sort((a, b) => a.ratio - b.ratio);
  return [
    ...found(evidence, large, told.length, {
      ...{ code: "training/large-updates", limit: most },
      meaning: "weights are replaced more than trained",
    }),
    ...found(evidence, small, told.length, {
      ...{ code: "training/small-updates", limit: least },
      meaning: "weights hardly move",
    }),
  ];
}

interface Judgement {
  readonly code: string;
  readonly limit: number;
  readonly meaning: string;
}

/** One finding for all layers, at the line of the first. */
function found(
  { placeOf }: TrainedEvidence,
  updates: readonly UnusualUpdate[],
  steps: number,
  { code, limit, meaning }: Judgement,
): Finding[] {
  const [worst] = updates;
  if (worst === undefined) return [];
  const ends = [worst.ratio, updates.at(-1)?.ratio ?? worst.ratio].map(figure);
  const range = [...new Set(ends)].join(" to ");
  const names = updates.map(({ layer }) => layer);
  const rest = names.length - namesShown;
  const who =
    rest <= 1 ? names.join(", ") : `${names.slice(0, namesShown).join(", ")} and ${rest} more`;
  return [
    {
      code,
      severity: "warning",
      message: `A step changes ${who} by ${range} of their weights' norm (median of ${steps} steps; 1e-3 is usual): ${meaning}`,
      ...placeOf(worst.layer),
      module: worst.layer,
      evidence: { "update / weights": worst.ratio, limit, layers: names.length, steps },
    },
  ];
}
