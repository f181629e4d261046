/** The numbers that a sweep keeps of one run. */
import type { Num, RunReport } from "../../protocol/report.ts";
import type { TrainReport } from "../../protocol/training.ts";
import { depthProfiles } from "../depthProfiles.ts";
import { numOf, toNumber } from "../number.ts";
import { finalLoss } from "../training/history.ts";
import type { SweepResult } from "./results.ts";

const kept = new Set(["streamRms", "ffnWeightGradient", "outputGradient"]);

/** At initialisation: the loss, and each depth series at the first and the last block. */
export function initMeasures(report: RunReport): SweepResult {
  const profiles = depthProfiles(report);
  const measures: Record<string, Num | null> = { loss: report.loss };
  for (const { stack, series } of profiles)
    for (const { id, label, values } of series) {
      if (!kept.has(id)) continue;
      const name = profiles.length > 1 ? `${stack}: ${label}` : label;
      measures[`${name}, last`] = values.at(-1) ?? null;
      measures[`${name}, first`] = values[0] ?? null;
    }
  return { measures, placement: profiles.at(-1)?.placement ?? null };
}

/** After training: how the loss ended and how large it was, and what the layers came to. */
export function trainMeasures({ steps, end, blocks }: TrainReport): SweepResult {
  const last = steps.at(-1);
  const largest = steps.reduce((most, { loss }) => Math.max(most, toNumber(loss)), 0);
  const ratios = (last?.updateRatios ?? []).map(toNumber);
  return {
    measures: {
      "final loss": end.reason === "not-finite" ? "NaN" : finalLoss(steps),
      "largest loss": numOf(largest),
      gradient: last?.gradient ?? null,
      "largest update / weight": ratios.length === 0 ? null : numOf(Math.max(...ratios)),
      ...(blocks.length === 0
        ? {}
        : { "residual stream RMS, last": last?.streamRms.at(-1) ?? null }),
    },
    placement: null,
  };
}
