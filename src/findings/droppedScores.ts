/** Dropout of attention's scores, in front of softmax and not behind it. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** A score of 0 is one among others: its key is not left out, as a weight of 0 leaves it out. */
export function droppedScores({ program, structure }: Evidence): Finding[] {
  const idOf = structure.found.idOf;
  const scores = new Map(
    structure.attention.flatMap(({ product, treatments }) => {
      const isMasked = (from: number) => treatments.slice(from).some(({ node }) => hides(node.op));
      return [product, ...treatments.map(({ node }) => node)].flatMap(({ outputs: [out] }, at) =>
        out ? [[idOf(out), isMasked(at === 0 ? treatments.length : at - 1)] as const] : [],
      );
    }),
  );
  return oncePerLine(
    program.dropouts.flatMap(({ call, input, p }): Finding[] => {
      const isMasked = scores.get(idOf(input));
      if (p === 0 || isMasked === undefined) return [];
      const masked = isMasked
        ? ". Keys that a mask hid get weight by it, or NaN where they were hidden by -inf"
        : "";
      return [
        {
          code: "attention/dropped-scores",
          severity: "warning",
          message: `Dropout takes the scores in front of softmax: in training each of them is 0 with probability ${figure(p)}, which leaves out no key, as dropout of the weights behind softmax does${masked}`,
          ...callPlace(call),
          evidence: { p },
        },
      ];
    }),
  );
}

const hides = (op: string): boolean => op === "Where" || op === "Add";
