/** A cross-entropy that starts far above ln V, which even logits would give. */
import type { Finding } from "../protocol/report.ts";
import { crossEntropyIn } from "../stats/targets.ts";
import { asNumber, type Evidence, figure, madeBefore, measuredAs } from "./evidence.ts";

export function initialLoss(evidence: Evidence): Finding[] {
  const { report, limits } = evidence;
  const entropy = crossEntropyOf(evidence);
  if (entropy === null) return [];
  const { logits, classes } = entropy;
  const made = madeBefore(evidence, logits);
  const call = made.node?.origin.call ?? null;
  const loss = asNumber(report.loss);
  const excess = loss - Math.log(classes);
  if (!(excess > limits.lossExcess)) return [];
  const std = measuredAs(evidence, made.value)?.activation.std ?? null;
  const spread = std === null ? "" : `; the logits' standard deviation is ${figure(std)}`;
  return [
    {
      code: "init/loss",
      severity: "information",
      message: `The loss is ${figure(loss)}, and ln ${classes} = ${figure(Math.log(classes))} is what even logits give${spread}`,
      file: call?.site.file ?? null,
      line: call?.site.line ?? null,
      module: call?.module ?? null,
      evidence: {
        loss,
        "ln V": Math.log(classes),
        excess,
        limit: limits.lossExcess,
        ...(std !== null && { "logit std": std }),
      },
    },
  ];
}

/** The only logarithm of a softmax that the loss is made of. */
export function crossEntropyOf({ structure, program }: Evidence) {
  const loss = structure.producers.makerOf(program.loss)?.origin.call?.op ?? "";
  return loss.includes("cross_entropy") ? crossEntropyIn(structure) : null;
}
