/** Experts with so little room that most tokens get none. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure, madeBefore, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Rows that no expert was given are 0 in what experts add to the stream. */
export function droppedTokens(evidence: Evidence): Finding[] {
  const { structure, limits } = evidence;
  return oncePerLine(
    structure.blocks.flatMap(({ nodes, residual, path }): Finding[] => {
      const experts = nodes.map((node) => expertsOf(evidence, node)).find((count) => count > 1);
      if (experts === undefined) return [];
      return residual.adds.flatMap(({ branch }): Finding[] => {
        const share = fromNum(measuredAs(evidence, branch)?.activation.zeroFraction ?? 0);
        const call = madeBefore(evidence, branch).node?.origin.call;
        // All of it: a branch that starts at nothing.
        if (!call || !(share > limits.droppedTokens) || share === 1) return [];
        return [
          {
            code: "experts/dropped-tokens",
            severity: "warning",
            message: `${figure(100 * share)} % of what the ${experts} experts of ${path} add is exactly 0: so many tokens were given to no expert, as with a capacity that is too small`,
            ...callPlace(call),
            evidence: { share, experts, limit: limits.droppedTokens },
          },
        ];
      });
    }),
  );
}

/** How many experts a choice is made of: the largest of what a linear map gives for each token. */
function expertsOf({ structure: { producers, found } }: Evidence, { op, inputs }: Node): number {
  const [scores] = inputs;
  if (!scores || !["TopK", "ArgMax"].includes(op)) return 0;
  const experts = scores.shape.at(-1) ?? 0;
  let at: Value | undefined = scores;
  for (let steps = 0; at && steps < 6; steps++) {
    const node = producers.makerOf(at);
    const weight = node?.inputs[1];
    const isMap = node?.op === "MatMul" || node?.op === "Gemm";
    if (isMap) return weight && found.isWeight(weight) && at.shape.at(-1) === experts ? experts : 0;
    at = node?.inputs.find((one) => one !== null && !found.isWeight(one)) ?? undefined;
  }
  return 0;
}
