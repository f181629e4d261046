/** Tanh whose results are nearly all at its ends, where it has no slope. */

import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const fewestNumbers = 64;

export const saturatedUnits = (evidence: Evidence): Finding[] =>
  oncePerLine(
    evidence.structure.nodes.flatMap(({ op, outputs, origin: { call } }): Finding[] => {
      const [output] = outputs;
      if (op !== "Tanh" || call?.op !== "tanh" || !output) return [];
      const rms = fromNum(measuredAs(evidence, output)?.activation.rms ?? 0);
      const limit = evidence.limits.saturatedRms;
      if (!(rms > limit) || numel(output.shape) < fewestNumbers) return [];
      return [
        {
          code: "units/saturated",
          severity: "warning",
          message: `tanh gives RMS ${figure(rms)}: nearly all of its inputs are where it is flat, and get a gradient close to 0`,
          ...callPlace(call),
          evidence: { rms, limit },
        },
      ];
    }),
  );
