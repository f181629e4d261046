/** All rules over a run of training. What they tell is measured. */
import type { Finding } from "../protocol/report.ts";
import { earlyRise } from "./earlyRise.ts";
import { gradientSpikes } from "./gradientSpikes.ts";
import { gravestFirst } from "./judge.ts";
import type { TrainedEvidence } from "./trainedEvidence.ts";
import { trainedNotFinite } from "./trainedNotFinite.ts";
import { unlearnt } from "./unlearnt.ts";
import { updateRatio } from "./updateRatio.ts";

const rules = [trainedNotFinite, unlearnt, earlyRise, updateRatio, gradientSpikes];

/** The gravest first. */
export const judgeTraining = (evidence: TrainedEvidence): Finding[] =>
  gravestFirst(
    rules.flatMap((rule) => rule(evidence).map((one) => ({ ...one, kind: "measured" as const }))),
  );
