/** Targets of a cross-entropy over many classes that are all one class. */
import type { Finding } from "../protocol/report.ts";
import { targetNumbers } from "../stats/targets.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

const fewestTargets = 32;
const fewestClasses = 5;

/** Inputs are not: the model's own code made them so, as an edit in place of what targets are taken from does. */
export function constantTargets(evidence: Evidence): Finding[] {
  const { structure, program } = evidence;
  const entropy = entropyInLoss(evidence);
  const call = entropy?.call;
  const numbers = targetNumbers(structure);
  if (!entropy || !call || !numbers || call.site.file.startsWith("<")) return [];
  const [first] = numbers;
  const counts = Array.from(numbers, Number).filter((one) => one >= 0);
  const isAlike = counts.every((one) => one === Number(first));
  const isOfTokens = program.inputs.some(({ value }) => value.dtype === "int64");
  if (!isAlike || counts.length < fewestTargets || entropy.classes < fewestClasses) return [];
  if (!isOfTokens) return [];
  return [
    {
      code: "loss/one-class",
      severity: "warning",
      message: `All ${counts.length} targets are class ${first}, of ${entropy.classes}: the model learns to give it whatever it is asked. Where tokens are masked in place, targets need a copy of them first: labels = tokens.clone()`,
      ...callPlace(call),
      evidence: { targets: counts.length, class: Number(first) },
    },
  ];
}
