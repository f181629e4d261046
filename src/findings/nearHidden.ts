/** A window of attention with the wrong sense: what is near is hidden, and what is far is left. */
import type { Finding } from "../protocol/report.ts";
import { maskSight } from "../stats/padding.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const fewestKeys = 8;

/** A diagonal alone is hidden on purpose at times (Lee et al. 2021, arXiv:2112.13492). */
export const nearHidden = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const { treatments, softmaxOver, logits, call } = attention;
      const [queries = 1, keys = 1] = logits.shape.slice(-2);
      if (treatments.length === 0 || softmaxOver !== "keys" || queries !== keys) return [];
      const seen = maskSight(attention, structure.nodes, structure.producers.makers);
      if (!seen || keys < fewestKeys) return [];
      const range = Array.from({ length: keys }, (_, i) => i);
      const isSeen = (query: number, key: number): boolean => seen.isSeen(0, query, key);
      const reach = range.findIndex((key) => isSeen(0, key)) - 1;
      const isBand = range.every((query) =>
        range.every((key) => isSeen(query, key) === Math.abs(query - key) > reach),
      );
      if (reach < 1 || reach >= keys / 2 - 1 || !isBand) return [];
      return [
        {
          code: "attention/hides-near",
          severity: "warning",
          message: `The mask hides each position and the ${reach} on both sides of it, and leaves all that are further away: a window has the wrong sense. masked_fill hides where its mask is True, scaled_dot_product_attention keeps there`,
          ...callPlace(seen.call ?? call),
          evidence: { hidden: reach, keys },
        },
      ];
    }),
  );
