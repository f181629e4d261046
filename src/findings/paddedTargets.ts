/** A cross-entropy whose targets have padding that it counts. */
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import type { Structure } from "../stats/structure.ts";
import type { CrossEntropy } from "../stats/targets.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

export function paddedTargets(evidence: Evidence): Finding[] {
  const pads = evidence.padding.targets;
  const entropy = entropyInLoss(evidence);
  const call = entropy?.call;
  if (!pads || !call || call.site.file.startsWith("<")) return [];
  if (weighsRows(evidence.structure, entropy)) return [];
  const all = pads.samples * pads.places;
  return [
    {
      code: "loss/padding",
      severity: "warning",
      message: `${pads.count} of ${counted(all, "target")} are padding (token ${pads.token}, at one end of samples of different lengths), and the loss counts them: the model learns to predict padding, and the mean hides what it does on tokens`,
      ...callPlace(call),
      evidence: { token: pads.token, padding: pads.count, targets: all },
    },
  ];
}

const passing: ReadonlySet<string> = new Set([
  ...["Reshape", "Squeeze", "Unsqueeze", "Identity", "Cast"],
  ...["ReduceSum", "ReduceMean", "Neg"],
]);

/** Whether what it gives for each row meets something else than a sum or a mean: a mask, or a choice. */
function weighsRows({ nodes, producers }: Structure, { call, logits, classes }: CrossEntropy) {
  const own = nodes.filter(({ origin }) => origin.call?.id === call.id);
  const read = new Set(own.flatMap(({ inputs }) => inputs.map((value) => value?.id)));
  const rows = numel(logits.shape) / classes;
  let losses = own
    .flatMap(({ outputs }) => outputs)
    .findLast(({ id, shape }) => !read.has(id) && numel(shape) >= rows);
  while (losses !== undefined && numel(losses.shape) >= rows) {
    const readers = producers.readersOf(losses);
    if (!readers.every(({ op }) => passing.has(op))) return true;
    losses = readers[0]?.outputs[0];
  }
  return false;
}
