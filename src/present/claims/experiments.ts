/** The experiments that show the claims, each on a lab of whoever asks. */
import type { ExperimentName } from "../../protocol/claimsPage.ts";
import { type Measured, overDepth, overLayers } from "./initialisation.ts";
import type { Lab } from "./lab.ts";
import { rmsNorm, tunedLoss, warmUp } from "./training.ts";

/** Seeds of every setting that is run more than once, where nobody says otherwise. */
export const usualSeeds = 3;

type Experiment = (lab: Lab, seeds: number) => Promise<Measured[]>;

/** Each gives one claim or several. */
export const experiments: Readonly<Record<ExperimentName, Experiment>> = {
  depth: overDepth,
  layers: async (lab, seeds) => [await overLayers(lab, seeds)],
  "warm-up": async (lab) => [await warmUp(lab)],
  "final-loss": async (lab, seeds) => [await tunedLoss(lab, seeds)],
  rmsnorm: async (lab) => [await rmsNorm(lab)],
};
