/** A causal mask that hides each position from itself, and everything from the first. */
import type { Finding } from "../protocol/report.ts";
import type { FoundAttention } from "../stats/foundAttention.ts";
import { type MaskSight, maskSight } from "../stats/padding.ts";
import type { Structure } from "../stats/structure.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const fewestKeys = 4;

export const hiddenSelf = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention.flatMap((attention): Finding[] => {
      const mask = strictMask(attention, structure);
      if (!mask) return [];
      return [
        {
          code: "attention/hides-self",
          severity: "warning",
          message: `The mask hides each of ${mask.keys} positions from itself and leaves the first no key at all: a causal mask hides what is behind a position, triu(diagonal=1), and keeps tril(diagonal=0)`,
          ...callPlace(mask.call ?? attention.call),
          evidence: { positions: mask.keys },
        },
      ];
    }),
  );

/** null: queries see other keys than those in front of their own, or nothing hides any. */
export function strictMask(
  attention: FoundAttention,
  { nodes, producers }: Structure,
): MaskSight | null {
  const [queries = 1, keys = 1] = attention.logits.shape.slice(-2);
  if (attention.treatments.length === 0 || queries !== keys || keys < fewestKeys) return null;
  const seen =
    attention.softmaxOver === "keys" ? maskSight(attention, nodes, producers.makers) : null;
  if (!seen) return null;
  const samples = range(seen.samples);
  const isSeen = (query: number, key: number): boolean =>
    samples.some((sample) => seen.isSeen(sample, query, key));
  // A row that is hidden as a whole looks at all alike, or at nothing.
  const isFirstHidden = samples.every((sample) => seen.isHidden(sample, 0));
  const isStrict = range(queries).every(
    (query) => query === 0 || range(keys).every((key) => isSeen(query, key) === key < query),
  );
  return isFirstHidden && isStrict ? seen : null;
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
