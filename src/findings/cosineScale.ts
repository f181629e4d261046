/** Attention by cosines that nothing makes larger: no key can be told from the others. */
import type { Finding } from "../protocol/report.ts";
import type { FoundAttention } from "../stats/foundAttention.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Scores above it let weights differ a thousandfold. (Liu et al. 2022, arXiv:2111.09883, learn a factor up to 100.) */
const enough = 3.5;

export const cosineScale = ({ structure }: Evidence): Finding[] => {
  const { norms, found } = structure;
  const unit = new Set(
    norms.flatMap(({ kind, axes, output }) =>
      kind === "L2Norm" && axes === 1 ? [found.idOf(output)] : [],
    ),
  );
  const isUnit = (attention: FoundAttention): boolean =>
    attention.operands.slice(0, 2).every((one) => unit.has(found.idOf(one)));
  return oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const { scale, softmaxOver, call } = attention;
      const most = Math.abs(scale ?? enough);
      if (softmaxOver !== "keys" || most >= enough || !isUnit(attention)) return [];
      return [
        {
          code: "attention/cosine-scale",
          severity: "warning",
          message: `Queries and keys have length 1, and their product is multiplied by ${figure(most)}: no score is outside of ±${figure(most)}, so that no key gets more than ${figure(Math.exp(2 * most))} times the weight of another. Cosines need a factor above 1: one that is learned, or about 10`,
          ...callPlace(call),
          evidence: { "largest score": most, "largest ratio": Math.exp(2 * most) },
        },
      ];
    }),
  );
};
