/** Masks that hide tokens in place of padding, or nothing of the padding. */
import type { Finding } from "../protocol/report.ts";
import type { PaddedAttention } from "../stats/padding.ts";
import { counted, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const paddingSeen = ({ padding }: Evidence): Finding[] =>
  oncePerLine(
    padding.attention.map(({ attention, input, pads, fault, call, pairs }): Finding => {
      const { site, module } = call ?? attention.call;
      return {
        code: fault === "seen" ? "attention/padding-seen" : "attention/padding-flipped",
        severity: fault === "seen" ? "warning" : "error",
        message: `${textOf(fault, call !== null)} ('${input.name}' has ${counted(pads.count, "place")} of padding, token ${pads.token})`,
        file: site.file,
        line: site.line,
        module,
        evidence: { token: pads.token, padding: pads.count, pairs },
      };
    }),
  );

function textOf(fault: PaddedAttention["fault"], isMasked: boolean): string {
  if (fault === "flipped")
    return "The mask hides the tokens and leaves the padding: it has the wrong sense. True hides in key_padding_mask, and keeps in scaled_dot_product_attention";
  if (fault === "queries")
    return "The mask hides what padding looks at, and not padding from the tokens: it runs along the queries. Its last axis is that of the keys";
  return isMasked
    ? "A mask is applied, but tokens give weight to padding"
    : "Nothing hides the padding, and tokens give weight to it";
}
