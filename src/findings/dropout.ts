/** Dropout that leaves too little, or that drops what the loss is to compare. */
import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { crossEntropyIn } from "../stats/targets.ts";
import { type Evidence, figure, madeBefore } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Whether the model trains now or not: what a dropout would do is known from its arguments. */
export function dropout(evidence: Evidence): Finding[] {
  const { program, limits } = evidence;
  const logits = undroppedLogits(evidence);
  const idOf = (value: Value): number => evidence.structure.sourceOf(value).value.id;
  return oncePerLine(
    program.dropouts.flatMap(({ call, input, p }): Finding[] => {
      const { site, module } = call;
      const place = { file: site.file, line: site.line, module };
      if (p > 0 && logits !== null && idOf(input) === idOf(logits))
        return [
          {
            code: "loss/dropped-logits",
            severity: "warning",
            message: `Dropout takes the logits that the loss compares: in training each class has logit 0 with probability ${figure(p)}, the right one too`,
            ...place,
            evidence: { p },
          },
        ];
      if (p <= limits.dropout) return [];
      const [dropped, kept] = [p, 1 - p].map((share) => figure(Math.round(1000 * share) / 10));
      return [
        {
          code: "model/dropout-share",
          severity: "warning",
          message: `Dropout drops ${dropped} % here in training, and keeps ${kept} %: PyTorch's argument is the share that is dropped, not the one that is kept`,
          ...place,
          evidence: { p, limit: limits.dropout },
        },
      ];
    }),
  );
}

/** The loss's logits before a dropout, active or not, and before some of them were picked. */
function undroppedLogits(evidence: Evidence): Value | null {
  const entropy = crossEntropyIn(evidence.structure);
  // A loss that was made up may compare what is no logits.
  if (!entropy || entropy.node.origin.call?.site.file.startsWith("<")) return null;
  const { value, node } = madeBefore(evidence, entropy.node.inputs[0] ?? entropy.logits);
  const isDropped = node?.op === "Mul" && node.origin.call?.op === "dropout";
  return isDropped ? (node.inputs[0] ?? null) : value;
}
