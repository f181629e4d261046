/** Targets that are tokens of the input, but not those of the next place. */
import type { TorchCall } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { type Alignment, alignmentOf } from "./alignment.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

/** Targets in the same place are loss/unshifted. */
export function shiftedTargets(evidence: Evidence): Finding[] {
  const alignment = alignmentOf(evidence);
  const call = entropyInLoss(evidence)?.call;
  if (!alignment || !call) return [];
  const { offset, isTurned, spread, positions } = alignment;
  const samples = spread.size[1 - positions] ?? 1;
  if (!isTurned && offset === 1 && alignment.rolled >= Math.max(samples, 2))
    return [ofRolled(alignment, call)];
  if (!isTurned && (offset === 0 || offset === 1)) return [];
  const orders = ["position by position", "sample by sample"];
  return [
    {
      code: isTurned ? "loss/other-order" : "loss/shift",
      severity: isTurned ? "error" : "warning",
      message: isTurned
        ? `Targets and logits are not in one order: logits go ${orders[positions]}, and targets ${orders[1 - positions]}, so that most rows of ${samples} samples are asked for the token of another sample. One of them was transposed before it was flattened`
        : `${offset < 0 ? "The targets are earlier tokens" : `The targets are ${offset} places ahead`} of '${spread.input.name}': the logits of position t are compared with token t ${offset < 0 ? "−" : "+"} ${Math.abs(offset)}${offset > 1 ? ", so labels were shifted more than once" : ", which the position has already seen"}`,
      ...callPlace(call),
      evidence: { input: spread.input.name, offset },
    },
  ];
}

/** What the last position is asked for was the first token. */
const ofRolled = ({ spread, rolled }: Alignment, call: TorchCall): Finding => ({
  code: "loss/shift",
  severity: "warning",
  message: `The targets are the next tokens of '${spread.input.name}', and those of the last positions are the first tokens of the same samples (${counted(rolled, "target")}): roll moves what falls off one end to the other. The last position has no target within its sample`,
  ...callPlace(call),
  evidence: { input: spread.input.name, rolled },
});
