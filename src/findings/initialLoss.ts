/** A cross-entropy that starts far above ln V, which even logits would give. */

import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { type CrossEntropy, crossEntropyIn } from "../stats/targets.ts";
import { type Evidence, figure, madeBefore, measuredAs } from "./evidence.ts";

export function initialLoss(evidence: Evidence): Finding[] {
  const { report, limits } = evidence;
  const entropy = crossEntropyOf(evidence);
  if (entropy === null) return [];
  const { logits, classes } = entropy;
  const made = madeBefore(evidence, logits);
  if (!areClasses(evidence, made)) return [];
  const call = made.node?.origin.call ?? null;
  const rows = summedRows(evidence, entropy);
  const loss = fromNum(report.loss) / rows;
  const excess = loss - Math.log(classes);
  if (!(excess > limits.lossExcess)) return [];
  const std = measuredAs(evidence, made.value)?.activation.std ?? null;
  const each = rows === 1 ? "" : ` for each of ${rows} rows`;
  const spread = std === null ? "" : `; the logits' standard deviation is ${figure(std)}`;
  return [
    {
      code: "init/loss",
      severity: "information",
      message: `The loss is ${figure(loss)}${each}, and ln ${classes} = ${figure(Math.log(classes))} is what even logits give${spread}`,
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

/** Features that a norm or a block gives are no logits: a loss that is made up for them says nothing. */
function areClasses(
  { report, structure: { found, producers } }: Evidence,
  { node }: ReturnType<typeof madeBefore>,
): boolean {
  if (!report.lossRule.endsWith("cross-entropy")) return true;
  const map = node?.op === "Add" ? node.inputs.find((one) => one && !found.isWeight(one)) : null;
  const maker = map ? producers.makerOf(map) : node;
  return maker?.op === "MatMul" || maker?.op === "Gemm" || maker?.op === "Conv";
}

/** Over how many rows the loss is a sum; 1: it is a mean. */
function summedRows({ structure }: Evidence, { node, logits, classes }: CrossEntropy): number {
  const id = node.origin.call?.id;
  const own = structure.nodes.filter(({ origin }) => origin.call?.id === id);
  const isMean = own.some(({ op }) => op === "Div" || op === "ReduceMean");
  return isMean || !own.some(({ op }) => op === "ReduceSum") ? 1 : numel(logits.shape) / classes;
}

/** The only cross-entropy of the loss, other terms or a mask beside it. */
export function entropyInLoss({ structure }: Evidence): CrossEntropy | null {
  const entropy = crossEntropyIn(structure);
  const isPick = entropy?.node.origin.call?.op === "log_softmax";
  return isPick || entropy?.call.op.includes("cross_entropy") ? entropy : null;
}

/** The only logarithm of a softmax that the loss is made of. */
export function crossEntropyOf({ structure, program }: Evidence) {
  const loss = structure.producers.makerOf(program.loss)?.origin.call?.op ?? "";
  return loss.includes("cross_entropy") ? crossEntropyIn(structure) : null;
}
