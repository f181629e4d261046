/** Layers whose updates are far from what usually trains, beside their weights. */
import type { TrainReport } from "../../protocol/training.ts";
import { medianOf } from "../median.ts";
import { formatNumber, toNumber } from "../number.ts";

/**
 * Norm of the update / norm of the weights. About 1e-3 is usual (CS231n, "Neural Networks Part 3",
 * ratio of weights to updates); Adam on small initial weights begins at some 1e-2.
 */
export const usualUpdates = { least: 1e-5, most: 1e-1 } as const;

const fewestSteps = 10;

export interface UnusualUpdate {
  readonly layer: string;
  /** Median over the steps whose learning rate is at least half of the largest. */
  readonly ratio: number;
  readonly steps: number;
}

/** In the order of the layers; none where fewer than ten steps tell. What is not updated at all is no layer of these. */
export function unusualUpdates({
  layers,
  steps,
}: Pick<TrainReport, "layers" | "steps">): UnusualUpdate[] {
  const largest = Math.max(...steps.map(({ lr }) => lr));
  const told = steps.filter(({ lr }) => lr > 0 && lr >= largest / 2);
  if (told.length < fewestSteps) return [];
  return layers.flatMap((layer, at): UnusualUpdate[] => {
    const ratios = told.map(({ updateRatios }) => toNumber(updateRatios[at] ?? "NaN"));
    const ratio = medianOf(ratios.filter((one) => Number.isFinite(one) && one > 0));
    const isUsual = ratio === null || (ratio >= usualUpdates.least && ratio <= usualUpdates.most);
    return isUsual ? [] : [{ layer, ratio, steps: told.length }];
  });
}

/** One sentence for all layers with too large updates, and one for those with too small ones. */
export function updateSentences(report: Pick<TrainReport, "layers" | "steps">): string[] {
  const unusual = unusualUpdates(report);
  const large = unusual.filter(({ ratio }) => ratio > usualUpdates.most);
  const small = unusual.filter(({ ratio }) => ratio < usualUpdates.least);
  return [
    ...sentence(large, "weights are replaced more than trained: a smaller lr, or a warm-up"),
    ...sentence(small, "weights hardly move: a larger lr, or another optimiser for them"),
  ];
}

function sentence(updates: readonly UnusualUpdate[], meaning: string): string[] {
  const [first] = updates;
  if (first === undefined) return [];
  const ratios = updates.map(({ ratio }) => ratio);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
    formatNumber(ratio),
  );
  const range = least === most ? least : `${least} to ${most}`;
  const names = updates.map(({ layer }) => layer);
  const who =
    names.length <= 3
      ? names.join(", ")
      : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
  return [
    `update / weights ${range} in ${who} (median of ${first.steps} steps; 1e-3 is usual): ${meaning}`,
  ];
}
