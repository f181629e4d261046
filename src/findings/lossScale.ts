/** A loss whose sign is turned, or that is divided by the number of its rows once more. */
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { type LossChain, lossChain } from "./lossChain.ts";

export function lossScale(evidence: Evidence): Finding[] {
  const chain = lossChain(evidence);
  if (!chain || chain.call.site.file.startsWith("<")) return [];
  return [...ofSign(chain), ...ofMean(evidence, chain)];
}

/** Cross-entropy falls while the right classes get likelier; the logarithm of their probability rises. */
function ofSign({ call, turn, isLikelihood, isPositive }: LossChain): Finding[] {
  if (isLikelihood !== isPositive) return [];
  const message = isLikelihood
    ? `The loss is the mean logarithm of the right classes' probabilities (${call.op}, line ${call.site.line}), without a minus sign: a step that makes it smaller makes them less likely`
    : `The loss is ${call.op} (line ${call.site.line}) with a minus sign: a step that makes it smaller makes the right classes less likely`;
  return [
    {
      code: "loss/sign",
      severity: "error",
      message,
      ...callPlace(turn ?? call),
      evidence: { "compared by": call.op, line: call.site.line },
    },
  ];
}

const fewestRows = 8;

/** A mean over rows, divided by their number or that of positions. */
function ofMean(
  { structure, program }: Evidence,
  { call, entropy, divisors }: LossChain,
): Finding[] {
  const rows = numel(entropy.logits.shape) / entropy.classes;
  const [samples = 1, positions = 1] = modelInputs(program)[0]?.shape ?? [];
  const own = structure.nodes.filter(({ origin }) => origin.call?.id === call.id);
  const isMean = own.some(({ op }) => op === "ReduceMean" || op === "Div");
  const counts = [rows, rows / samples, ...(samples * positions === rows ? [positions] : [])];
  const again = divisors.find(
    ({ number }) => number >= fewestRows && counts.some((count) => Math.abs(count - number) < 1e-3),
  );
  if (!again || !isMean || rows < fewestRows) return [];
  return [
    {
      code: "loss/divided-twice",
      severity: "warning",
      message: `${call.op} is the mean of ${rows} rows already (line ${call.site.line}), and is divided by ${figure(Math.round(again.number))} here: loss and gradients come out that much smaller, and depend on the length. reduction="sum" gives what is to be divided`,
      ...callPlace(again.call),
      evidence: { rows, "divided by": Math.round(again.number) },
    },
  ];
}
