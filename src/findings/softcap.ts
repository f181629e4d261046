/** Scores that tanh holds between −1 and 1, and that nothing makes larger again. */
import type { Finding } from "../protocol/report.ts";
import type { FoundAttention } from "../stats/foundAttention.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** A soft cap is c · tanh(scores / c), c well above 1 (Gemma Team 2024, arXiv:2408.00118). */
export const softcap = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const capped = cappedIn(attention);
      if (!capped) return [];
      const { most, call } = capped;
      const ratio = Math.exp(2 * most);
      return [
        {
          code: "attention/softcap",
          severity: "error",
          message: `tanh leaves no score outside of ±${figure(most)}, and nothing multiplies it again: no key gets more than ${figure(ratio)} times the weight of another, so that attention stays nearly even. A soft cap is c * tanh(scores / c)`,
          ...callPlace(call),
          evidence: { "largest score": most, "largest ratio": ratio },
        },
      ];
    }),
  );

/** Above it weights can differ a thousandfold. */
const enough = 3.5;

/** null: no tanh, or scores come out of it large enough, or by a factor that is learned. */
function cappedIn({ treatments, call }: FoundAttention) {
  const at = treatments.findIndex(({ node }) => node.op === "Tanh");
  const tanh = treatments[at]?.node;
  if (!tanh) return null;
  let most = 1;
  for (const { node, scores } of treatments.slice(0, at)) {
    if (node.op !== "Mul" && node.op !== "Div") continue;
    const factor = node.inputs.find((input) => input !== scores);
    const number = factor?.data?.[0];
    if (number === undefined || factor?.role === "parameter") return null;
    most *= node.op === "Mul" ? Math.abs(Number(number)) : 1 / Math.abs(Number(number));
  }
  return most < enough ? { most, call: tanh.origin.call ?? call } : null;
}
