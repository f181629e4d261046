/** A cross-entropy whose targets have padding that it counts. */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

export function paddedTargets(evidence: Evidence): Finding[] {
  const pads = evidence.padding.targets;
  const call = entropyInLoss(evidence)?.node.origin.call;
  if (!pads || !call || call.site.file.startsWith("<")) return [];
  const all = pads.samples * pads.places;
  return [
    {
      code: "loss/padding",
      severity: "warning",
      message: `${pads.count} of ${counted(all, "target")} are padding (token ${pads.token}, at one end of samples of different lengths), and the loss counts them: the model learns to predict padding, and the mean hides what it does on tokens`,
      file: call.site.file,
      line: call.site.line,
      module: call.module,
      evidence: { token: pads.token, padding: pads.count, targets: all },
    },
  ];
}
